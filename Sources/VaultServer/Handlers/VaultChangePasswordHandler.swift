import JSONRPC
import VaultProtocol
import VaultSession

enum VaultChangePasswordHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: VaultChangePassword, in conversation: isolated Conversation
  ) async throws -> Outcome<Nothing> {
    let isBound = try request.dropsDevices && conversation.session.status().isBound
    let item = isBound ? try KeychainItem(of: conversation.session) : nil
    try await conversation.session.changePassword(
      from: request.oldPassword, to: request.newPassword,
      keyDerivation: request.keyDerivation.map(KeyDerivationRequest.init), dropsDevices: request.dropsDevices)
    if let item { await conversation.forget(item) }
    return Outcome(Nothing())
  }
}
