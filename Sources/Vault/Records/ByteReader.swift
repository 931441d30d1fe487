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

  /// The highest number of a write, a segment or a key file: nobody counts so far, and the next number can always be made.
  package static let highestOrdinal: Int64 = 1 << 48

  /// Reads a number that counts writes or files.
  ///
  /// - Throws: ``CryptoError/malformed`` if there are not 8 bytes, or it is above ``highestOrdinal``.
  package mutating func ordinal() throws(CryptoError) -> Int64 {
    guard let number = Int64(exactly: try number(8)), number <= Self.highestOrdinal else { throw .malformed }
    return number
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
