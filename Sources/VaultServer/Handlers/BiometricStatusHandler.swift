import VaultModel
import VaultProtocol
import VaultSession

enum BiometricStatusHandler: Handler {
  static let countsAsActivity = false

  static func answer(
    _ request: BiometricStatus, in conversation: isolated Conversation
  ) async throws -> Outcome<BiometricStatus.Answer> {
    let vault = try conversation.session.status()
    let status = try await conversation.lookAtDesktop()
    return Outcome(
      BiometricStatus.Answer(
        isAvailable: status.canOpenVaults, isBound: vault.isBound, isAllowed: vault.allowsFingerprint,
        isLockedOut: conversation.fingerprintFailures >= Conversation.fingerprintAttempts,
        fingerprint: part(status.fingerprint, status.fingerprint.fingerprintAdvice),
        keychain: part(status.keychain, status.keychain.keychainAdvice),
        session: part(status.session, status.session.sessionAdvice), language: conversation.language))
  }

  private static func part(_ part: DesktopStatus.Part, _ advice: Localized?) -> BiometricStatus.Part {
    BiometricStatus.Part(
      state: part.state, package: part.package, reader: part.reader, fingers: part.fingers, advice: advice)
  }
}
