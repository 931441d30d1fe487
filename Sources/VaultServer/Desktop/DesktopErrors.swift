import JSONRPC
import VaultSession

extension BiometricError {
  /// What the desktop program's refusal comes to.
  static func from(_ error: ResponseError) -> any Error {
    let package = error.data?["package"]?.string
    return switch error.data?["kind"]?.string {
    case "rpc.cancelled": CancellationError()
    case "fingerprint.serviceMissing":
      BiometricError.biometryNotAvailable(package == "dbus" ? .busMissing : .serviceMissing)
    case "fingerprint.noReader", "fingerprint.disconnected": BiometricError.biometryNotAvailable(.noReader)
    case "fingerprint.permissionDenied": BiometricError.biometryNotAvailable(.permissionDenied)
    case "fingerprint.notEnrolled": BiometricError.biometryNotEnrolled
    case "fingerprint.busy": BiometricError.biometryNotAvailable(.readerBusy)
    case "fingerprint.timedOut": BiometricError.timedOut
    case "fingerprint.serviceStopped", "fingerprint.sleeping": BiometricError.systemCancel
    case "keychain.serviceMissing":
      BiometricError.biometryNotAvailable(
        package == "dbus-user-session" ? .sessionBusMissing : .keychainMissing)
    case "keychain.noCollection": BiometricError.biometryNotAvailable(.noCollection)
    case "keychain.dismissed", "keychain.locked", "keychain.timedOut": BiometricError.keychainLocked
    case "keychain.absent", "keychain.malformed": BiometricError.invalidContext
    default: BiometricError.biometryNotAvailable(.failed)
    }
  }
}

extension DesktopStatus.Answer {
  /// Why no finger can open a vault here; nil where one can.
  var obstacle: BiometricError? {
    guard fingerprint.isReady else { return fingerprint.fingerprintObstacle }
    guard keychain.isReady || keychain.state == "locked" else { return keychain.keychainObstacle }
    return nil
  }
}

extension DesktopStatus.Part {
  /// What is the matter with the reader.
  var fingerprintObstacle: BiometricError {
    switch state {
    case "notEnrolled": .biometryNotEnrolled
    case "programMissing": .biometryNotAvailable(.programMissing)
    case "busMissing": .biometryNotAvailable(.busMissing)
    case "serviceMissing": .biometryNotAvailable(.serviceMissing)
    case "noReader": .biometryNotAvailable(.noReader)
    case "permissionDenied": .biometryNotAvailable(.permissionDenied)
    default: .biometryNotAvailable(.failed)
    }
  }

  /// What is the matter with the keychain.
  var keychainObstacle: BiometricError {
    switch state {
    case "locked": .keychainLocked
    case "programMissing": .biometryNotAvailable(.programMissing)
    case "busMissing": .biometryNotAvailable(.sessionBusMissing)
    case "serviceMissing": .biometryNotAvailable(.keychainMissing)
    case "noCollection": .biometryNotAvailable(.noCollection)
    default: .biometryNotAvailable(.failed)
    }
  }
}
