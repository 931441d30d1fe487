import VaultInterface

extension Registry {
  @MethodList static var settings: [Method] {
    Method(.reading) {
      (request: SettingsGet, context: SessionContext) throws -> Outcome<SettingsGet.Response> in
      Outcome(SettingsGet.Response(settings: try context.session.settings()))
    }

    Method {
      (request: SettingsUpdate, context: DesktopContext) async throws -> Outcome<SettingsUpdate.Response> in
      let settings = try context.session.updateSettings(request.change) { old, new in
        if new.turnsOffProtection(of: old) { try context.confirmation.require() }
      }
      if [.lockWithDesktop, .lockOnSleep].contains(where: request.change.values.keys.contains) {
        await context.desktop.watch(as: settings)
      }
      return Outcome(SettingsUpdate.Response(settings: settings))
    }
  }
}
