package import VaultCrypto
package import Wire

/// Reads big-endian numbers, identifiers and bytes in their order.
package struct ByteReader {
  private var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  package var isAtEnd: Bool { rest.isEmpty }
  package var count: Int { rest.count }

  /// Reads an unsigned number.
  ///
  /// - Throws: ``CryptoError/malformed`` if there are not as many bytes.
  package mutating func number(_ byteCount: Int) throws(CryptoError) -> UInt64 {
    try bytes(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// - Throws: ``CryptoError/malformed`` if there are not 16 bytes.
  package mutating func identifier() throws(CryptoError) -> Identifier {
    Identifier(high: try number(8), low: try number(8))
  }

  /// - Throws: ``CryptoError/malformed`` if there are not as many bytes.
  package mutating func bytes(_ count: Int) throws(CryptoError) -> ArraySlice<UInt8> {
    guard count >= 0, rest.count >= count else { throw .malformed }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
