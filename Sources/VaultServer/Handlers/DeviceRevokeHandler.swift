import JSONRPC
import VaultProtocol
import VaultSession

enum DeviceRevokeHandler: Handler {
  static func answer(
    _ request: DeviceRevoke, in conversation: isolated Conversation
  ) async throws -> Outcome<Nothing> {
    try await conversation.unbind(request.id)
    return Outcome(Nothing())
  }
}
