import VaultProtocol

enum SettingsGetHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: SettingsGet, _ context: SessionContext) throws -> Outcome<SettingsResponse> {
    Outcome(SettingsResponse(try context.session.settings()))
  }
}
