import DesktopProtocol
import VaultModel
import VaultProtocol
import VaultSession

enum BiometricStatusHandler: Handler {
  static let access = Access.reading
  static let countsAsActivity = false

  static func answer(
    _ request: BiometricStatus, _ context: BiometricContext
  ) async throws -> Outcome<BiometricStatus.Response> {
    let vault = try context.session.status()
    let status = try await context.desktop.fetchStatus()
    return Outcome(
      BiometricStatus.Response(
        isAvailable: status.canOpenVaults, isBound: vault.isBound, isAllowed: vault.allowsFingerprint,
        isLockedOut: context.biometrics.unlock.isLockedOut,
        fingerprint: part(status.fingerprint, status.fingerprint.fingerprintAdvice),
        keychain: part(status.keychain, status.keychain.keychainAdvice),
        session: part(status.session, status.session.sessionAdvice), language: context.language))
  }

  private static func part(_ part: DesktopStatus.Part, _ advice: Localized?) -> BiometricStatus.Part {
    BiometricStatus.Part(
      state: part.state.rawValue, package: part.availability.package, reader: part.reader,
      fingers: part.fingers,
      advice: advice)
  }
}
