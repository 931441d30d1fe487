import VaultProtocol

enum SettingsUpdateHandler: Handler {
  static func answer(_ request: SettingsUpdate, _ context: DesktopContext) throws -> Outcome<SettingsAnswer> {
    let settings = try context.session.updateSettings(request.change)
    if request.change.lockWithDesktop != nil || request.change.lockOnSleep != nil {
      context.desktop.watch(for: context.vault)
    }
    return Outcome(SettingsAnswer(settings))
  }
}
