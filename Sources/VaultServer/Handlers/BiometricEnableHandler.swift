import DesktopProtocol
import Glibc
import JSON
import VaultModel
import VaultProtocol
import VaultSession

enum BiometricEnableHandler: Handler {
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(
    _ request: BiometricEnable, _ context: BiometricContext
  ) async throws -> Outcome<BiometricEnable.Response> {
    let session = context.session
    guard try session.settings().biometricUnlock else {
      throw BiometricError.biometryNotAvailable(.turnedOff)
    }
    if let obstacle = try await context.desktop.fetchStatus().obstacle { throw obstacle }
    try await session.authorize(password: request.password)
    context.confirmation.recordAuthentication()
    let device = try await context.biometrics.afterFingerprint { fingerprints in
      let binding = try session.newBinding()
      let item = try KeychainItem(of: session)
      let secret = binding.secret.withSpanOfBytes { Base64.encode($0) }
      let timeout = BiometricUnlock.keychainTimeoutSeconds
      _ = try await context.desktop.askUser(
        KeychainStore(item: item, secret: secret, timeoutSeconds: timeout))
      do {
        return try await session.waitingForOthers {
          try session.bind(binding, name: HostName.unless(request.name), fingerprints: fingerprints)
        }
      } catch {
        _ = try? await context.desktop.askUser(KeychainDelete(item: item, timeoutSeconds: timeout))
        throw error
      }
    }
    context.offer.withdraw()
    context.desktop.watch(for: context.vault)
    return Outcome(BiometricEnable.Response(device))
  }
}

extension [UInt8] {
  /// Lends the bytes.
  fileprivate func withSpanOfBytes<Value>(_ body: (RawSpan) -> Value) -> Value {
    body(unsafe span.bytes)
  }
}
