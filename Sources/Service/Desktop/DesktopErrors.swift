import HelperProtocols
import Vault
import Wire

extension BiometricError {
  /// Interprets an error of `quickvault-desktop`: a ``BiometricError``, or a `CancellationError`.
  static func from(_ error: ResponseError) -> any Error {
    switch DesktopError(error) {
    case .cancelled: CancellationError()
    case .systemBusMissing: BiometricError.biometryNotAvailable(.busMissing)
    case .fingerprintServiceMissing: BiometricError.biometryNotAvailable(.serviceMissing)
    case .noReader, .readerDisconnected: BiometricError.biometryNotAvailable(.noReader)
    case .permissionDenied: BiometricError.biometryNotAvailable(.permissionDenied)
    case .notEnrolled: BiometricError.biometryNotEnrolled
    case .readerBusy: BiometricError.biometryNotAvailable(.readerBusy)
    case .fingerprintTimedOut: BiometricError.timedOut
    case .fingerprintServiceStopped, .sleeping: BiometricError.systemCancel
    case .sessionBusMissing: BiometricError.biometryNotAvailable(.sessionBusMissing)
    case .keychainServiceMissing: BiometricError.biometryNotAvailable(.keychainMissing)
    case .noCollection: BiometricError.biometryNotAvailable(.noCollection)
    case .promptDismissed, .keychainLocked, .promptTimedOut: BiometricError.keychainLocked
    case .secretAbsent, .secretMalformed: BiometricError.invalidContext
    case .keychainFailed: BiometricError.biometryNotAvailable(.keychainFailed)
    case .fingerprintFailed, nil: BiometricError.biometryNotAvailable(.failed)
    }
  }
}

extension DesktopStatus.Response {
  /// The status if `quickvault-desktop` is not installed.
  static let withoutProgram = {
    let part = DesktopStatus.Part(Availability(.programMissing, package: "quickvault"))
    return DesktopStatus.Response(fingerprint: part, keychain: part, session: part)
  }()

  /// Whether a fingerprint can unlock a vault here; a locked keychain is unlocked when it is needed.
  var canOpenVaults: Bool { obstacle == nil }

  /// Why no fingerprint can unlock a vault here; nil if one can.
  var obstacle: BiometricError? {
    guard fingerprint.state == .ready else { return fingerprint.fingerprintObstacle }
    guard [.ready, .locked].contains(keychain.state) else { return keychain.keychainObstacle }
    return nil
  }
}

extension DesktopStatus.Part {
  /// The reader's state as an error.
  var fingerprintObstacle: BiometricError {
    switch state {
    case .notEnrolled: .biometryNotEnrolled
    case .programMissing: .biometryNotAvailable(.programMissing)
    case .busMissing: .biometryNotAvailable(.busMissing)
    case .serviceMissing: .biometryNotAvailable(.serviceMissing)
    case .noReader: .biometryNotAvailable(.noReader)
    case .permissionDenied: .biometryNotAvailable(.permissionDenied)
    default: .biometryNotAvailable(.failed)
    }
  }

  /// The keychain's state as an error.
  var keychainObstacle: BiometricError {
    switch state {
    case .locked: .keychainLocked
    case .programMissing: .biometryNotAvailable(.programMissing)
    case .busMissing: .biometryNotAvailable(.sessionBusMissing)
    case .serviceMissing: .biometryNotAvailable(.keychainMissing)
    case .noCollection: .biometryNotAvailable(.noCollection)
    default: .biometryNotAvailable(.keychainFailed)
    }
  }
}
