import JSONRPC
import VaultProtocol
import VaultSession

enum SessionLockHandler: Handler {
  static func answer(_ request: SessionLock, in conversation: isolated Conversation) async throws -> Outcome<
    Nothing
  > {
    let (notifications, handsOff) = conversation.lock(.request)
    return Outcome(Nothing(), telling: notifications, handsOff: handsOff)
  }
}
