import JSONRPC
import VaultProtocol
import VaultSession

enum SessionLockHandler: Handler {
  static func answer(_ request: SessionLock, _ context: NoContext) async throws -> Outcome<Nothing> {
    Outcome(Nothing(), locking: .request)
  }
}
