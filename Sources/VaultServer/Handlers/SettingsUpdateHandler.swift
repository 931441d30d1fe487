import VaultProtocol

enum SettingsUpdateHandler: Handler {
  static func answer(
    _ request: SettingsUpdate, _ context: DesktopContext
  ) async throws -> Outcome<SettingsResponse> {
    let settings = try context.session.updateSettings(request.change) { old, new in
      if new.turnsOffProtection(of: old) { try context.confirmation.require() }
    }
    if request.change.lockWithDesktop != nil || request.change.lockOnSleep != nil {
      await context.desktop.watch(as: settings)
    }
    return Outcome(SettingsResponse(settings))
  }
}
