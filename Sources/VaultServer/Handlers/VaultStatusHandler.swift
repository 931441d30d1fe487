import VaultProtocol

enum VaultStatusHandler: Handler {
  static let countsAsActivity = false
  static let readsForeignChanges = true

  static func answer(
    _ request: VaultStatus, in conversation: isolated Conversation
  ) async throws -> Outcome<VaultStatus.Answer> {
    let status = try conversation.session.status()
    conversation.offerWhereItIsDue()
    let isOffered = conversation.offersBiometric && status.allowsFingerprint
    return Outcome(
      VaultStatus.Answer(
        path: conversation.session.path, exists: status.exists, isLocked: conversation.session.isLocked,
        setupStep: !status.exists ? .welcome : isOffered ? .offerBiometric : .ready,
        failedAttempts: status.failedAttempts,
        retryAfterSeconds: status.retryAfterSeconds,
        biometricIsAvailable: conversation.desktopStatus?.canOpenVaults ?? false,
        biometricIsEnabled: status.isBound && status.allowsFingerprint,
        demo: conversation.demoAnswer))
  }
}
