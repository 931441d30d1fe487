import Glibc
import HelperProtocols
import Vault
import VaultInterface
import Wire

extension Registry {
  @MethodList static var devices: [Method] {
    Method(.reading, countsAsActivity: false, answer: BiometricStatusHandler.answer)

    Method(prompts: .password) {
      (request: BiometricEnable, context: BiometricContext) async throws -> Outcome<BiometricEnable.Response>
      in
      let session = context.session
      guard try session.settings().isOn(.biometricUnlock) else {
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

    Method { (request: BiometricDisable, context: BiometricContext) async throws -> Outcome<NullResult> in
      _ = try context.session.settings()
      guard try context.session.status().isBound else { throw BiometricError.notEnabled }
      try context.confirmation.require()
      try await context.biometrics.unbind(try context.session.thisDevice())
      return Outcome(NullResult())
    }

    Method(.reading) {
      (request: DeviceList, context: SessionContext) throws -> Outcome<DeviceList.Response> in
      Outcome(DeviceList.Response(items: try context.session.devices()))
    }

    Method { (request: DeviceRevoke, context: BiometricContext) async throws -> Outcome<NullResult> in
      _ = try context.session.settings()
      try context.confirmation.require()
      try await context.biometrics.unbind(request.id)
      return Outcome(NullResult())
    }
  }
}

private enum BiometricStatusHandler {
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

extension [UInt8] {
  /// Lends the bytes.
  fileprivate func withSpanOfBytes<Value>(_ body: (RawSpan) -> Value) -> Value {
    body(unsafe span.bytes)
  }
}
