import JSONRPC
import VaultProtocol
import VaultSession

enum SessionLockHandler: Handler {
  static func answer(_ request: SessionLock, _ context: NoContext) -> Outcome<Nothing> {
    Outcome(Nothing(), locking: .request)
  }
}
