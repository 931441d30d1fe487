import HelperProtocols
import Vault
import VaultInterface
import Wire

extension Registry {
  @MethodList static var vaults: [Method] {
    Method(.reading, countsAsActivity: false, readsExternalChanges: true, isOpenToAll: true) {
      (request: VaultStatus, context: BiometricContext) async throws -> Outcome<VaultStatus.Response> in
      let status = try context.session.status()
      // A new vault offers a fingerprint in the answer that creates it; the user types a password until then.
      if !status.exists { context.desktop.fetchStatusIfUnknown() }
      await context.offer.offerIfDue(for: context.vault, context.desktop)
      let isOffered = context.offer.isOffered && status.allowsFingerprint
      return Outcome(
        VaultStatus.Response(
          path: context.session.path, exists: status.exists, isLocked: context.session.isLocked,
          setupStep: !status.exists ? .welcome : isOffered ? .offerBiometric : .ready,
          failedAttempts: status.failedAttempts,
          retryAfterSeconds: status.retryAfterSeconds,
          biometricIsAvailable: await context.desktop.canOpenVaults,
          biometricIsEnabled: status.isBound && status.allowsFingerprint,
          isReadOnly: status.isReadOnly ? true : nil,
          isAdmitted: context.isAdmitted, consentFrom: context.consentFrom,
          demo: DemoDescription(context.vault), conflictFiles: context.session.conflictFiles(),
          agentUses: context.agentUses))
    }

    Method(.exclusive, prompts: [PinentryPrompt(parameter: "password", purpose: .new)], isOpenToAll: true) {
      (request: VaultCreate, context: UnlockContext) async throws -> Outcome<UnlockResponse> in
      try context.refuseWhileHandingOff()
      context.desktop.fetchStatusIfUnknown()
      if request.isDemo {
        // Others would find the demo in the place of their vault.
        guard try !context.isShared || !context.session.status().exists else { throw VaultError.exists }
        try await context.vault.beginDemo(
          password: request.password, keyDerivation: request.keyDerivation,
          watermarksAttachment: context.canWatermark)
      } else if let password = request.password {
        try await context.session.create(password: password, keyDerivation: request.keyDerivation)
      }
      await context.didUnlockWithPassword()
      return Outcome(try context.answer(), admittedBy: .password)
    }

    Method(.exclusive, prompts: .changed) {
      (request: VaultChangePassword, context: BiometricContext) async throws -> Outcome<NullResult> in
      let isBound = try request.dropsDevices && context.session.status().isBound
      let item = isBound ? try KeychainItem(of: context.session) : nil
      try await context.session.changePassword(
        from: request.oldPassword, to: request.newPassword,
        keyDerivation: request.keyDerivation, dropsDevices: request.dropsDevices)
      context.confirmation.recordAuthentication()
      if let item { await context.biometrics.delete(item) }
      return Outcome(NullResult())
    }

    Method(prompts: .password) {
      (request: VaultDelete, context: BiometricContext) async throws -> Outcome<NullResult> in
      let isBound = (try? context.session.status().isBound) ?? false
      let item = isBound ? try KeychainItem(of: context.session) : nil
      let account = try? context.session.account()?.item
      // Only an open vault says whether there is one.
      let accountItem =
        context.session.isLocked ? try? KeychainItem(of: context.session, for: .account) : account
      try await context.session.delete(password: request.password, confirmation: request.confirmation)
      if let item { await context.biometrics.delete(item) }
      if let accountItem { await context.biometrics.delete(accountItem, prompts: account != nil) }
      return Outcome(NullResult())
    }

    Method { (request: VaultAcceptOlder, context: SessionContext) throws -> Outcome<NullResult> in
      try context.session.acceptOlder()
      return Outcome(NullResult())
    }

    Method(.exclusive, prompts: .changed) {
      (request: VaultRekey, context: SyncContext) async throws -> Outcome<SyncResponse> in
      _ = try context.session.settings()
      try await context.work.progress.during(request.progressToken, WorkTitle.reencrypting) { report in
        try await context.work.interruptibly {
          _ = try await context.session.rekey(from: request.oldPassword, to: request.newPassword, report)
        }
      }
      context.work.confirmation.recordAuthentication()
      return Outcome(try context.answer())
    }
  }

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
