import HelperProtocols
import Vault
import VaultInterface
import Wire

/// Fingerprints that open the vault (R9, B): counts those that did not match, over all clients.
final class BiometricUnlock {
  /// After how many scans that match no enrolled fingerprint only the password helps.
  static let attempts = 3
  /// The timeout of a scan, in seconds.
  static let timeoutSeconds = 30
  /// How long the user may take to answer the keychain's own prompt, in seconds.
  static let keychainTimeoutSeconds = 60

  fileprivate let vault: CurrentVault
  fileprivate let desktop: DesktopLink
  /// The scans in a row that matched no enrolled fingerprint, since the last password or fingerprint that was right.
  fileprivate(set) var failures: Int
  /// The client whose request waits for a finger.
  private var waitingClient: ClientConversation?

  init(_ vault: CurrentVault, _ desktop: DesktopLink, failures: Int) {
    self.vault = vault
    self.desktop = desktop
    self.failures = failures
  }

  var isLockedOut: Bool { failures >= Self.attempts }

  /// Allows fingerprints again after the right password.
  func resetFailures() {
    failures = 0
  }

  /// Counts scans that did not match, and notifies the waiting client.
  func observe(_ change: FingerprintDidChangeState) {
    let state: BiometricDidChangeState.State
    var reason: BiometricDidChangeState.Reason?
    switch change.state {
    case .scanning: state = .scanning
    case .matched: state = .succeeded
    case .notMatched:
      failures += 1
      state = isLockedOut ? .failed : .tryAgain
      reason = .notMatched
    case .retry:
      state = .tryAgain
      reason = (change.reason?.rawValue).flatMap(BiometricDidChangeState.Reason.init) ?? .tryAgain
    }
    guard let client = waitingClient else { return }
    client.notifications.send(
      BiometricDidChangeState(
        state, reason: reason, attemptsLeft: Self.attempts - failures,
        message: reason?.message ?? state.message,
        language: vault.session.chosenLanguage ?? client.language))
  }

  /// Waits for an enrolled fingerprint, and runs `body`, which may have the user answer a prompt.
  fileprivate func scan<Value>(
    for client: ClientConversation, _ body: (_ fingerprints: String) async throws -> Value
  ) async throws -> Value {
    waitingClient = client
    defer { waitingClient = nil }
    let watched = try await desktop.ask(DesktopWatch(lock: true, sleep: true))
    guard !watched.isSessionLocked else { throw BiometricError.notInteractive }
    let scan = try await desktop.askUser(
      FingerprintVerify(attempts: Self.attempts - failures, timeoutSeconds: Self.timeoutSeconds))
    guard scan.outcome == .matched else {
      vault.session.record(.fingerprintFailed, means: "fingerprint")
      throw BiometricError.authenticationFailed
    }
    failures = 0
    return try await body(scan.enrollment)
  }
}

/// Fingerprints of the user of one client, and what is in this device's keychain for the vault (T).
struct ClientBiometrics {
  let unlock: BiometricUnlock
  let client: ClientConversation

  var desktop: DesktopLink { unlock.desktop }
  private var session: VaultSession { unlock.vault.session }

  /// Unlocks the vault with a fingerprint, or checks one if it is unlocked.
  ///
  /// - Throws: ``BiometricError``, and what opening a file throws.
  func unlockVault() async throws {
    try await withSecretOfDevice { try await session.unlock(deviceSecret: $0, fingerprints: $1) }
  }

  /// Checks that the user is present before the original of a marked attachment is given (R6, R9): by the password, or by a
  /// fingerprint if this device is bound, with the request or in the last minute. The vault stays unlocked.
  ///
  /// - Throws: `VaultError.authorizationRequired` if neither was given; for a wrong password what it throws at unlock, where it
  ///   counts as well (R11); ``BiometricError``.
  func authorize(_ original: OriginalRequest, of attachment: Attachment) async throws {
    guard original.isWanted, attachment.watermark != nil else { return }
    switch original.means {
    case nil: return try client.confirmation.require()
    case .password(let password):
      try await session.authorize(password: password)
      unlock.resetFailures()
    case .biometric:
      try await withSecretOfDevice { try session.authorize(deviceSecret: $0, fingerprints: $1) }
    }
    client.confirmation.recordAuthentication()
  }

  /// Waits for an enrolled fingerprint, and then runs `body`, which may have the user answer a prompt.
  ///
  /// - Parameter body: is given what identifies the enrolled fingerprints.
  /// - Throws: ``BiometricError``.
  func afterFingerprint<Value>(_ body: (_ fingerprints: String) async throws -> Value) async throws -> Value {
    guard !client.isInBackground else { throw BiometricError.notInteractive }
    guard !unlock.isLockedOut else { throw BiometricError.biometryLockout }
    do {
      return try await client.interrupter.duringWait { try await unlock.scan(for: client, body) }
    } catch {
      let reason = await client.interrupter.reason
      guard error is CancellationError || reason != nil else { throw error }
      switch reason {
      case nil, .command: throw BiometricError.userCancel
      case .password, .unlocked: throw BiometricError.userFallback
      case .lock: throw BiometricError.appCancel
      case .shutdown: throw BiometricError.systemCancel
      }
    }
  }

  /// Removes a device's binding, and its secret if that is in this device's keychain.
  func unbind(_ device: Identifier) async throws {
    _ = try session.settings()
    let item = try KeychainItem(of: session)
    try session.revoke(device)
    if device.description == item.device { await delete(item) }
  }

  /// Deletes a secret that opens nothing any more, if the keychain allows it.
  func delete(_ item: KeychainItem, prompts: Bool = true) async {
    let request = KeychainDelete(
      item: item, prompts: prompts, timeoutSeconds: BiometricUnlock.keychainTimeoutSeconds)
    _ = try? await client.interrupter.duringWait { try await desktop.askUser(request) }
  }

  /// Waits for a fingerprint, and gives `body` the secret of this device's keychain.
  private func withSecretOfDevice(
    _ body: (_ secret: [UInt8], _ fingerprints: String) async throws -> Void
  ) async throws {
    let status = try session.status()
    guard status.exists else { throw BiometricError.passcodeNotSet }
    guard status.isBound else { throw BiometricError.notEnabled }
    guard status.allowsFingerprint else { throw BiometricError.biometryNotAvailable(.turnedOff) }
    let item = try KeychainItem(of: session)
    let read = KeychainRead(item: item, timeoutSeconds: BiometricUnlock.keychainTimeoutSeconds)
    let (secret, fingerprints) = try await afterFingerprint { fingerprints in
      (try await desktop.askUser(read).secret, fingerprints)
    }
    guard let bytes = Base64.bytes(of: secret), (try? session.vaultIdentifier().description) == item.vault
    else { throw BiometricError.invalidContext }
    do {
      try await body(bytes, fingerprints)
    } catch BiometricError.enrollmentChanged {
      await delete(item)
      throw BiometricError.enrollmentChanged
    }
  }
}

extension KeychainItem {
  /// A secret of this device.
  init(of session: VaultSession, for purpose: Purpose = .device) throws {
    self.init(
      vault: try session.vaultIdentifier().description, device: try session.thisDevice().description,
      purpose: purpose)
  }
}
