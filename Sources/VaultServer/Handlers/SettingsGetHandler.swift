import VaultProtocol

enum SettingsGetHandler: Handler {
  static func answer(_ request: SettingsGet, _ context: SessionContext) async throws -> Outcome<
    SettingsAnswer
  > {
    Outcome(SettingsAnswer(try context.session.settings()))
  }
}
