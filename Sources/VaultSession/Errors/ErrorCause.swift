import VaultCrypto
import VaultStore

extension VaultError {
  /// What lies behind an error, for the log: a case with the code of SQLite or libgcrypt, or else the error's type. It never
  /// has a value of the vault, a path or a secret in it.
  ///
  /// - Returns: nil if the error's kind says all.
  public static func cause(of error: any Error) -> String? {
    switch error {
    case let error as StoreError: "StoreError.\(error)"
    case let error as CryptoError: "CryptoError.\(error)"
    case VaultError.failed: "VaultError.failed"
    default: VaultError(error) == .failed ? "\(type(of: error))" : nil
    }
  }
}
