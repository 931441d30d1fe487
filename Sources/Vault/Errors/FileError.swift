import Glibc
import VaultCrypto
import VaultInterface
public import VaultStore
public import Wire

/// An error with a file outside of the vault. No case contains its path or content.
public enum FileError: Error, Hashable, Sendable {
  /// There is no such file, or no such directory to write it in.
  case notFound
  /// A directory, a FIFO, a device or a socket; for writing, a symbolic link too.
  case notRegular
  /// It cannot be read.
  case unreadable(VaultError.Reason, ErrorOrigin)
  /// The name is taken.
  case exists
  /// The system does not let it be written, or a vault uses the name (`busy`); nothing was left behind.
  case notWritable(VaultError.Reason, ErrorOrigin)
  /// It has more bytes than this.
  case tooLarge(limit: Int)

  package static func unreadable(
    _ reason: VaultError.Reason, file: StaticString = #fileID, line: Int = #line
  ) -> FileError {
    .unreadable(reason, ErrorOrigin(file: file, line: line))
  }

  package static func notWritable(
    _ reason: VaultError.Reason, file: StaticString = #fileID, line: Int = #line
  ) -> FileError {
    .notWritable(reason, ErrorOrigin(file: file, line: line))
  }

  /// Maps the error number of a call for reading.
  package static func reading(
    _ number: Int32, file: StaticString = #fileID, line: Int = #line
  ) -> FileError {
    switch number {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
    case ENXIO, EISDIR, ENODEV, EWOULDBLOCK: .notRegular
    default: .unreadable(reason(number), ErrorOrigin(systemError: number, file: file, line: line))
    }
  }

  /// Maps the error number of a call for writing.
  package static func writing(
    _ number: Int32, file: StaticString = #fileID, line: Int = #line
  ) -> FileError {
    switch number {
    case ENOENT, ENOTDIR, ENAMETOOLONG: .notFound
    case EEXIST, ENOTEMPTY: .exists
    case EISDIR: .notRegular
    default: .notWritable(reason(number), ErrorOrigin(systemError: number, file: file, line: line))
    }
  }

  private static func reason(_ number: Int32) -> VaultError.Reason {
    switch number {
    case EACCES, EPERM: .permissionDenied
    case ENOSPC, EDQUOT, EFBIG: .diskFull
    case EROFS: .readOnly
    case ENOMEM: .outOfMemory
    default: .inputOutput
    }
  }
}

/// What the log says of an error beyond its kind. It contains no value of the vault, no path and no secret.
public struct ErrorCause: Hashable, Sendable, CustomStringConvertible {
  /// The type and the case of the error; nil if the kind says as much.
  public var name: String?
  /// Where the error was made; nil if that is not known.
  public var origin: ErrorOrigin?

  public init(name: String? = nil, origin: ErrorOrigin? = nil) {
    (self.name, self.origin) = (name, origin)
  }

  /// The text for the log, such as `StoreError.diskFull sqlite=778 errno=28 VaultStore/Statement.swift:144`.
  public var description: String {
    var words = name.map { [$0] } ?? []
    guard let origin else { return words.joined(separator: " ") }
    if let code = origin.sqliteCode { words.append("sqlite=\(code)") }
    if let number = origin.systemError, number != 0 { words.append("errno=\(number)") }
    words.append("\(origin.file):\(origin.line)")
    return words.joined(separator: " ")
  }
}

extension VaultError {
  /// The cause of an unexpected failure, for the log.
  public enum Cause: Hashable, Sendable, CustomStringConvertible {
    /// A revision or the generation cannot be raised further.
    case counterExhausted
    /// A record of a vault is missing in the middle of a merge.
    case recordMissing
    /// An error of SQLite or libgcrypt, with its code, or the type of any other error.
    case error(String)

    /// The text for the log.
    public var description: String {
      switch self {
      case .counterExhausted: "counterExhausted"
      case .recordMissing: "recordMissing"
      case .error(let text): text
      }
    }
  }

  /// The cause of an error, for the log.
  ///
  /// - Returns: nil if the error's kind says all.
  public static func cause(of error: any Error) -> ErrorCause? {
    switch error {
    case let error as StoreError: ErrorCause(name: "StoreError.\(error.kind)", origin: error.origin)
    case let error as CryptoError: ErrorCause(name: "CryptoError.\(error)")
    case FileError.unreadable(let reason, let origin), FileError.notWritable(let reason, let origin):
      ErrorCause(name: "FileError.\(reason)", origin: origin)
    default:
      switch VaultError(error) {
      case .failed(let cause, let origin): ErrorCause(name: cause.description, origin: origin)
      case .unavailable(let reason, _): ErrorCause(name: "VaultError.\(reason)")
      default: nil
      }
    }
  }
}

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
