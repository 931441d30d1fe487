import JSONRPC
import VaultProtocol
import VaultSession

enum BiometricDisableHandler: Handler {
  static func answer(
    _ request: BiometricDisable, in conversation: isolated Conversation
  ) async throws -> Outcome<Nothing> {
    _ = try conversation.session.settings()
    guard try conversation.session.status().isBound else { throw BiometricError.notEnabled }
    try await conversation.unbind(try conversation.session.thisDevice())
    return Outcome(Nothing())
  }
}
