public import Identifiers
import VaultModel

/// Why a finger does not open the vault, or a device is not bound: the eleven outcomes that LocalAuthentication names, and
/// those that are a desktop's own (B).
public enum BiometricError: Error, Hashable, Sendable {
  /// Three scans fitted no enrolled finger.
  case authenticationFailed
  /// The person took it back.
  case userCancel
  /// A password came while the finger was awaited.
  case userFallback
  /// The machine went to sleep, the program was asked to end, or the fingerprint service stopped.
  case systemCancel
  /// There is no vault, and so no password that a finger could stand for.
  case passcodeNotSet
  /// Something is missing.
  case biometryNotAvailable(Obstacle)
  /// The person has no finger enrolled.
  case biometryNotEnrolled
  /// Too many scans fitted no finger; a password unlock takes it back.
  case biometryLockout
  /// The vault was locked while the finger was awaited.
  case appCancel
  /// The vault was replaced or deleted meanwhile, or the keychain's secret is not one of this vault.
  case invalidContext
  /// The client is in the background, or the desktop session is locked.
  case notInteractive
  /// Other prints are enrolled than when the device was bound; the binding is gone.
  case enrollmentChanged
  /// The device at hand is not bound.
  case notEnabled
  /// The keychain is locked, and was not unlocked when the person was asked.
  case keychainLocked
  /// No finger came in time.
  case timedOut
  /// No device with this id is bound.
  case deviceNotFound(Identifier)

  /// What is missing, or in the way.
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
    /// The vault's settings do not let a finger unlock it.
    case turnedOff
    /// A service failed in a way that it does not explain.
    case failed

    /// The Debian package that brings what is missing; nil where none does.
    public var package: String? {
      switch self {
      case .programMissing: "quickvault"
      case .busMissing: "dbus"
      case .serviceMissing: "fprintd"
      case .sessionBusMissing: "dbus-user-session"
      case .keychainMissing: "gnome-keyring"
      case .noReader, .permissionDenied, .readerBusy, .noCollection, .turnedOff, .failed: nil
      }
    }
  }
}
