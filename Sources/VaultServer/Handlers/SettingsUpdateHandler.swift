import VaultProtocol

enum SettingsUpdateHandler: Handler {
  static func answer(
    _ request: SettingsUpdate, in conversation: isolated Conversation
  ) async throws -> Outcome<SettingsAnswer> {
    Outcome(SettingsAnswer(try conversation.session.updateSettings(request.change)))
  }
}
