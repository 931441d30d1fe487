import VaultCrypto
import VaultStore

/// The versions of the libraries in use.
public enum Libraries {
  /// The version of SQLite that is running.
  public static var sqlite: String { SQLiteLibrary.version }
  /// The version of libgcrypt that is running; nil if it does not start.
  public static var libgcrypt: String? { try? CryptoLibrary.start().version }
}
