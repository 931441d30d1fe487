// The standard library normalises strings for its own comparisons but has no public interface for it yet; Foundation
// has, and would bring megabytes into the vault process. This file alone uses the interface that is not public.
@_spi(_Unicode) import Swift

extension SecretBytes {
  /// A password as key derivation takes it: Unicode NFC, in UTF-8 (RFC 8265, OpaqueString), so that the same password
  /// typed on another keyboard or system has the same bytes.
  ///
  /// The string itself and the standard library's buffers are in ordinary memory; they disappear when the process replaces
  /// itself at lock.
  ///
  /// - Throws: ``CryptoError/secureMemoryExhausted``.
  public convenience init(password: String) throws(CryptoError) {
    var count = 0
    for scalar in password._nfc { count += UTF8.width(scalar) }
    try self.init(count: count) { (span: inout MutableRawSpan) in
      var offset = 0
      for scalar in password._nfc {
        for byte in UTF8.encode(scalar).map(Array.init) ?? [] {
          span.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
          offset += 1
        }
      }
    }
  }
}
