import Identifiers
import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

/// Opening the vault with a finger, and what goes with a binding (T).
extension Conversation {
  /// Unlocks the vault with a finger, or checks one of a vault that is unlocked.
  ///
  /// - Throws: ``BiometricError``, and what opening a file throws.
  func unlockWithFingerprint() async throws {
    try await withSecretOfDevice { try await session.unlock(deviceSecret: $0, prints: $1) }
  }

  /// Checks a finger of the person who has unlocked the vault.
  ///
  /// - Throws: ``BiometricError``, `VaultError.locked`, and what opening a file throws.
  func authorizeWithFingerprint() async throws {
    try await withSecretOfDevice { try session.authorize(deviceSecret: $0, prints: $1) }
  }

  /// Waits for a finger, and does something with what this device's keychain holds for the vault.
  private func withSecretOfDevice(
    _ body: (_ secret: [UInt8], _ prints: String) async throws -> Void
  ) async throws {
    let status = try session.status()
    guard status.exists else { throw BiometricError.passcodeNotSet }
    guard status.isBound else { throw BiometricError.notEnabled }
    guard status.allowsFingerprint else { throw BiometricError.biometryNotAvailable(.turnedOff) }
    let item = try KeychainItem(of: session)
    let (secret, prints) = try await afterFingerprint { prints in
      (try await askDesktop(KeychainRead(item: item)).secret, prints)
    }
    guard let bytes = Self.secret(secret), (try? session.vaultIdentifier().description) == item.vault else {
      throw BiometricError.invalidContext
    }
    do {
      try await body(bytes, prints)
    } catch BiometricError.enrollmentChanged {
      await forget(item)
      throw BiometricError.enrollmentChanged
    }
  }

  /// Takes a device's binding away, and its secret where it is in this device's keychain.
  func unbind(_ device: Identifier) async throws {
    _ = try session.settings()
    let item = try KeychainItem(of: session)
    try session.revoke(device)
    if device.description == item.device { await forget(item) }
  }

  /// Deletes a secret that opens nothing any more, if the keychain lets that be done.
  func forget(_ item: KeychainItem) async {
    _ = try? await waiting {
      try await askDesktop(KeychainDelete(item: item))
    }
  }

  /// Takes to heart that the vault was unlocked with a password: the finger may be tried again, the desktop is watched,
  /// and the client may ask once whether this device is to be bound (R22).
  func didUnlock() {
    fingerprintFailures = 0
    mayOffer = true
    offerWhereItIsDue()
    watchDesktop()
  }

  /// Offers the binding once it is known that it can be done, which may be after the answer to the unlock.
  func offerWhereItIsDue() {
    guard mayOffer, demo == nil, !session.isLocked, desktopStatus?.canOpenVaults == true else { return }
    mayOffer = false
    offersBiometric = session.asksToBind()
  }

  private static func secret(_ text: String) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: Base64.decodedCount(text.utf8.count))
    var elements = bytes.mutableSpan
    var span = unsafe elements.mutableBytes
    guard let count = Base64.decode(text, into: &span) else { return nil }
    return Array(bytes.prefix(count))
  }
}
