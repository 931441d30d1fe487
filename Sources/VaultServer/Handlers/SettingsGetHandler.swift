import VaultProtocol

enum SettingsGetHandler: Handler {
  static func answer(_ request: SettingsGet, in conversation: isolated Conversation) async throws -> Outcome<
    SettingsAnswer
  > {
    Outcome(SettingsAnswer(try conversation.session.settings()))
  }
}
