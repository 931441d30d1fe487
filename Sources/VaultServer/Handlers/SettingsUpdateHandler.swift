import VaultProtocol

enum SettingsUpdateHandler: Handler {
  static func answer(
    _ request: SettingsUpdate, in conversation: isolated Conversation
  ) async throws -> Outcome<SettingsAnswer> {
    let settings = try conversation.session.updateSettings(request.change)
    if request.change.lockWithDesktop != nil || request.change.lockOnSleep != nil {
      conversation.watchDesktop()
    }
    return Outcome(SettingsAnswer(settings))
  }
}
