import CGcrypt
public import Wire

/// A keyed hash of a set of sealed records that is updated record by record, in any order.
///
/// The sum modulo 2^256 of one ``Element`` for each record: MSet-Add-Hash of Clarke, Devadas, van Dijk, Gassend and Suh,
/// "Incremental Multiset Hash Functions and Their Application to Memory Integrity Checking", Asiacrypt 2003. It is kept
/// sealed in the vault's head, so that a record that was deleted, duplicated, swapped or rolled back is detected.
public struct RecordHash: Hashable, Sendable {
  /// The contribution of one record to the hash, made by ``RecordHasher``.
  public struct Element: Hashable, Sendable {
    let value: RecordHash

    init(code: RawSpan) throws(CryptoError) {
      value = try RecordHash(code)
    }
  }

  /// Four 64-bit digits, the most significant first.
  private var digits: (UInt64, UInt64, UInt64, UInt64)

  /// The length of a hash in bytes.
  public static let count = 32

  /// The hash of no records: zero.
  public init() {
    digits = (0, 0, 0, 0)
  }

  /// Reads a stored hash, a big-endian integer.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 32 bytes.
  public init(_ bytes: RawSpan) throws(CryptoError) {
    guard bytes.byteCount == Self.count else { throw .malformed }
    digits = (
      bytes.bigEndian(at: 0), bytes.bigEndian(at: 8), bytes.bigEndian(at: 16), bytes.bigEndian(at: 24)
    )
  }

  /// The hash as 32 big-endian bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.count)
    for digit in [digits.0, digits.1, digits.2, digits.3] { bytes.append(bigEndian: digit) }
    return bytes
  }

  public mutating func add(_ element: Element) {
    add(element.value)
  }

  /// Adds all records of another hash; the two must be disjoint.
  public mutating func add(_ other: RecordHash) {
    combine(other) { digit, other, carry in
      let (sum, overflow) = digit.addingReportingOverflow(other)
      let (total, carried) = sum.addingReportingOverflow(carry)
      return (total, overflow || carried ? 1 : 0)
    }
  }

  /// Removes a record.
  public mutating func remove(_ element: Element) {
    combine(element.value) { digit, other, borrow in
      let (difference, overflow) = digit.subtractingReportingOverflow(other)
      let (total, borrowed) = difference.subtractingReportingOverflow(borrow)
      return (total, overflow || borrowed ? 1 : 0)
    }
  }

  private mutating func combine(
    _ hash: RecordHash,
    _ step: (_ digit: UInt64, _ other: UInt64, _ carry: UInt64) -> (digit: UInt64, carry: UInt64)
  ) {
    let other = hash.digits
    var carry: UInt64 = 0
    (digits.3, carry) = step(digits.3, other.3, carry)
    (digits.2, carry) = step(digits.2, other.2, carry)
    (digits.1, carry) = step(digits.1, other.1, carry)
    (digits.0, _) = step(digits.0, other.0, carry)
  }

  public static func == (left: RecordHash, right: RecordHash) -> Bool {
    left.digits == right.digits
  }

  /// Hashes the 32 bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(digits.0)
    hasher.combine(digits.1)
    hasher.combine(digits.2)
    hasher.combine(digits.3)
  }
}

/// Makes the element that a sealed record adds to the ``RecordHash``.
///
/// It keeps an HMAC handle. Use it from one thread at a time.
public final class RecordHasher {
  private var authenticator: MessageAuthenticator

  /// Initializes the hasher with the vault's record-hash key.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` unless the key has 32 bytes;
  ///   ``CryptoError/secureMemoryExhausted``; ``CryptoError/libraryFailure(operation:code:)``.
  public init(recordHashKey: SecretBytes) throws(CryptoError) {
    guard recordHashKey.count == MessageAuthenticator.codeCount else { throw .parametersOutOfRange }
    authenticator = try MessageAuthenticator(key: recordHashKey)
  }

  /// HMAC-SHA256 over 57 bytes: kind, record id, revision, and the salt and the tag that a sealed record begins and ends
  /// with. The tag stands for the content, so nothing else of the record is read.
  ///
  /// - Throws: ``CryptoError/malformed`` when `sealed` is too short to be a sealed record;
  ///   ``CryptoError/libraryFailure(operation:code:)``.
  public func element(
    kind: RecordKind, id: Identifier, revision: UInt64, sealed: RawSpan
  ) throws(CryptoError) -> RecordHash.Element {
    guard sealed.byteCount >= RecordSealer.overhead else { throw .malformed }
    var message = InlineArray<57, UInt8>(repeating: 0)
    var messageElements = message.mutableSpan
    var span = unsafe messageElements.mutableBytes
    span.store(bigEndian: kind.rawValue, at: 0)
    id.store(in: &span, at: 1)
    span.store(bigEndian: revision, at: 17)
    span.copy(sealed.extracting(first: Salt.count), at: 25)
    span.copy(sealed.extracting(last: AuthenticatedCipher.tagCount), at: 41)

    var code = InlineArray<32, UInt8>(repeating: 0)
    var codeElements = code.mutableSpan
    var output = unsafe codeElements.mutableBytes
    try authenticator.authenticate(span.bytes, into: &output)
    return try RecordHash.Element(code: output.bytes)
  }

  /// The name of the directory in a synchronised folder for what is published under this vault key.
  ///
  /// The first 16 bytes of HMAC-SHA256 over `quickvault/v1/epoch` in ASCII and the vault's id, in the form of a UUID version 4. No
  /// element of the record hash is made of such a message, for they begin with a kind.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public func epochIdentifier(of vault: Identifier) throws(CryptoError) -> Identifier {
    let message = Array("quickvault/v1/epoch".utf8) + vault.bytes
    var code = [UInt8](repeating: 0, count: 32)
    try message.withRawSpan { (span) throws(CryptoError) in
      try code.withMutableRawSpan { (output) throws(CryptoError) in
        try authenticator.authenticate(span, into: &output)
      }
    }
    guard let identifier = Identifier(randomBytes: code.prefix(Identifier.byteCount)) else {
      throw .malformed
    }
    return identifier
  }

  /// The same from an array.
  ///
  /// - Throws: As ``element(kind:id:revision:sealed:)`` with a span.
  public func element(
    kind: RecordKind, id: Identifier, revision: UInt64, sealed: [UInt8]
  ) throws(CryptoError) -> RecordHash.Element {
    try sealed.withRawSpan { (span) throws(CryptoError) in
      try element(kind: kind, id: id, revision: revision, sealed: span)
    }
  }
}

/// The hash of the rows that are not sealed and that decide who opens a vault: its slots and its plain settings.
///
/// It is kept in the sealed ``VaultHead``, so that a slot or setting that was changed, added, removed or put back is detected.
public enum PlainHash {
  /// A slot as it stands in the file, of whatever kind.
  public struct Slot: Sendable {
    let id: Identifier
    let encoded: [UInt8]

    /// A slot with these columns.
    public init(
      id: Identifier, kind: UInt8, algorithm: UInt8, iterations: UInt32, memoryKiB: UInt32, salt: [UInt8],
      sealed: [UInt8]
    ) {
      self.id = id
      var bytes = id.bytes + [kind, algorithm]
      bytes.append(bigEndian: iterations)
      bytes.append(bigEndian: memoryKiB)
      bytes += salt
      bytes.append(bigEndian: UInt32(clamping: sealed.count))
      encoded = bytes + sealed
    }
  }

  /// SHA-256 over `quickvault/v1/plain` in ASCII, the number of slots (4 bytes), the slots in ascending order of their ids,
  /// the length of the settings in UTF-8 (4 bytes), and the settings.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)``.
  public static func hash(slots: [Slot], settings: String) throws(CryptoError) -> [UInt8] {
    var bytes = Array("quickvault/v1/plain".utf8)
    bytes.append(bigEndian: UInt32(clamping: slots.count))
    for slot in slots.sorted(by: { $0.id < $1.id }) { bytes += slot.encoded }
    bytes.append(bigEndian: UInt32(clamping: settings.utf8.count))
    return try SHA256.hash(of: bytes + Array(settings.utf8))
  }
}

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
  /// The length of a hash in bytes.
  public static let count = 32

  /// The 32-byte hash of a message.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public static func hash(of message: [UInt8]) throws(CryptoError) -> [UInt8] {
    try CryptoLibrary.start()
    var hash = [UInt8](repeating: 0, count: count)
    unsafe hash.withUnsafeMutableBytes { target in
      unsafe message.withUnsafeBytes { source in
        unsafe gcry_md_hash_buffer(
          Int32(GCRY_MD_SHA256.rawValue), target.baseAddress, source.baseAddress, source.count)
      }
    }
    return hash
  }
}
