import JSONRPC
import VaultProtocol
import VaultSession

enum SessionLockHandler: Handler {
  static let access = Access.reading
  static let isOpenToAll = true
  static let interruption: Interruption? = .lock

  static func answer(_ request: SessionLock, _ context: NoContext) -> Outcome<NullResult> {
    Outcome(NullResult(), locking: .request)
  }
}
