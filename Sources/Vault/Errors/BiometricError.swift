import VaultInterface
public import Wire

/// Why a finger does not open the vault, or a device is not bound: the eleven outcomes that LocalAuthentication names, and
/// those that are a desktop's own (B).
public enum BiometricError: Error, Hashable, Sendable {
  /// Three scans matched no enrolled finger.
  case authenticationFailed
  /// The user cancelled.
  case userCancel
  /// A password was given while waiting for the finger.
  case userFallback
  /// The machine went to sleep, the program was asked to end, or the fingerprint service stopped.
  case systemCancel
  /// There is no vault.
  case passcodeNotSet
  /// Something needed for fingerprints is missing.
  case biometryNotAvailable(Obstacle)
  /// The user has no fingerprint enrolled.
  case biometryNotEnrolled
  /// Too many scans failed; unlocking with the password resets this.
  case biometryLockout
  /// The vault was locked while waiting for the finger.
  case appCancel
  /// The vault was replaced or deleted, or the keychain's secret belongs to another vault.
  case invalidContext
  /// The client is in the background, or the desktop session is locked.
  case notInteractive
  /// The enrolled fingerprints have changed since the device was bound; the binding was deleted.
  case enrollmentChanged
  /// This device is not bound.
  case notEnabled
  /// The keychain is locked, and the user did not unlock it.
  case keychainLocked
  /// The timeout passed without a scan.
  case timedOut
  /// No device with this id is bound.
  case deviceNotFound(Identifier)

  /// The reason why fingerprints are not available.
  public enum Obstacle: String, Hashable, Sendable, CaseIterable {
    /// `quickvault-desktop` is not installed.
    case programMissing
    /// There is no system bus.
    case busMissing
    /// fprintd is not installed.
    case serviceMissing
    /// There is no reader.
    case noReader
    /// The system does not let this session use the reader.
    case permissionDenied
    /// Another program uses the reader.
    case readerBusy
    /// There is no session bus.
    case sessionBusMissing
    /// There is no keychain service.
    case keychainMissing
    /// The keychain has no default collection.
    case noCollection
    /// The keychain service failed without a known reason.
    case keychainFailed
    /// The vault's settings do not allow unlocking by fingerprint.
    case turnedOff
    /// The fingerprint service failed without a known reason.
    case failed

    /// The Debian package to install; nil if none helps.
    public var package: String? {
      switch self {
      case .programMissing: "quickvault"
      case .busMissing: "dbus"
      case .serviceMissing: "fprintd"
      case .sessionBusMissing: "dbus-user-session"
      case .keychainMissing: "gnome-keyring"
      case .noReader, .permissionDenied, .readerBusy, .noCollection, .keychainFailed, .turnedOff, .failed: nil
      }
    }
  }
}
