import VaultProtocol

enum VaultStatusHandler: Handler {
  static let access = Access.reading
  static let isOpenToAll = true
  static let countsAsActivity = false
  static let readsExternalChanges = true

  static func answer(
    _ request: VaultStatus, _ context: BiometricContext
  ) async throws -> Outcome<VaultStatus.Response> {
    let status = try context.session.status()
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
        demo: DemoDescription(context.vault), conflictFiles: context.session.conflictFiles()))
  }
}
