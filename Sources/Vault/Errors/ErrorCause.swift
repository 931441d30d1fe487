import VaultCrypto
public import VaultStore

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
