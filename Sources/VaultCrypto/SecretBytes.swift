import CGcrypt
import Glibc

/// Secret bytes: a key, a password, a device secret.
///
/// They live in libgcrypt's secure memory, never change, and are zeroed when the last reference goes. Nothing that
/// prints, dumps or reflects a value shows more than the count.
public final class SecretBytes: Sendable {
  private let memory: SecureMemory

  /// The number of bytes.
  public var count: Int { memory.count }

  /// Generates random bytes for long-lived keys.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``; ``CryptoError/parametersOutOfRange`` for a negative count.
  public convenience init(randomCount count: Int) throws(CryptoError) {
    try self.init(count: count) { (span: inout MutableRawSpan) in
      unsafe span.withUnsafeMutableBytes { bytes in
        unsafe gcry_randomize(bytes.baseAddress, bytes.count, GCRY_VERY_STRONG_RANDOM)
      }
    }
  }

  /// Copies bytes. The owner of the original must wipe it.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``.
  public convenience init(copying bytes: RawSpan) throws(CryptoError) {
    try self.init(count: bytes.byteCount) { (span: inout MutableRawSpan) in
      span.copy(bytes, at: 0)
    }
  }

  /// Copies an array, which is not wiped.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``.
  public convenience init(copying bytes: [UInt8]) throws(CryptoError) {
    try self.init(count: bytes.count) { (span: inout MutableRawSpan) in
      bytes.withRawSpan { source in span.copy(source, at: 0) }
    }
  }

  /// Makes `count` zero bytes and lets `fill` write them, once.
  package init(
    count: Int, filledBy fill: (inout MutableRawSpan) throws(CryptoError) -> Void
  ) throws(CryptoError) {
    var memory = try SecureMemory(count: count)
    try memory.withMutableSpan(fill)
    self.memory = memory
  }

  /// Calls `body` with the bytes. Copies that `body` makes are not protected.
  public func withSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try memory.withSpan(body)
  }
}

extension SecretBytes: Equatable {
  /// Compares in a time that depends on the counts alone.
  public static func == (left: SecretBytes, right: SecretBytes) -> Bool {
    guard left.count == right.count else { return false }
    return left.withSpan { leftSpan in
      right.withSpan { rightSpan in
        unsafe leftSpan.withUnsafeBytes { leftBytes in
          unsafe rightSpan.withUnsafeBytes { rightBytes in
            unsafe cgcrypt_equal(leftBytes.baseAddress, rightBytes.baseAddress, leftBytes.count) != 0
          }
        }
      }
    }
  }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// `SecretBytes(32)`: the count and nothing else.
  public var description: String { "SecretBytes(\(count))" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// A mirror without children, so that `dump` shows the count and nothing else.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
