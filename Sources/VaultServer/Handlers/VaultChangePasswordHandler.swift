import JSONRPC
import VaultProtocol
import VaultSession

enum VaultChangePasswordHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: VaultChangePassword, in conversation: isolated Conversation
  ) async throws -> Outcome<Nothing> {
    try await conversation.session.changePassword(
      from: request.oldPassword, to: request.newPassword,
      keyDerivation: request.keyDerivation.map(KeyDerivationRequest.init), dropsDevices: request.dropsDevices)
    return Outcome(Nothing())
  }
}
