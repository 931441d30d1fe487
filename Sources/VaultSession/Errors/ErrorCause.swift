import VaultCrypto
import VaultStore

extension VaultError {
  /// The cause of an unexpected failure, for the log. It contains no value of the vault, no path and no secret.
  public enum Cause: Hashable, Sendable, CustomStringConvertible {
    /// A revision or the generation cannot be raised further.
    case counterExhausted
    /// A record of a vault is missing in the middle of a merge.
    case recordMissing
    /// Two cards of a merge name the same attachment.
    case attachmentTwice
    /// An error of SQLite or libgcrypt, with its code, or the type of any other error.
    case error(String)

    /// The text for the log.
    public var description: String {
      switch self {
      case .counterExhausted: "counterExhausted"
      case .recordMissing: "recordMissing"
      case .attachmentTwice: "attachmentTwice"
      case .error(let text): text
      }
    }
  }

  /// The cause of an error, for the log.
  ///
  /// - Returns: nil if the error's kind says all.
  public static func cause(of error: any Error) -> String? {
    switch error {
    case let error as StoreError: "StoreError.\(error)"
    case let error as CryptoError: "CryptoError.\(error)"
    default: if case .failed(let cause) = VaultError(error) { cause.description } else { nil }
    }
  }
}
