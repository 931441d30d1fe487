import CGcrypt

/// Random bytes for salts and identifiers, from the kernel.
///
/// - Throws: ``CryptoError/parametersOutOfRange`` for a negative count.
public func randomBytes(_ count: Int) throws(CryptoError) -> [UInt8] {
  try CryptoLibrary.start()
  guard count >= 0 else { throw .parametersOutOfRange }
  var bytes = [UInt8](repeating: 0, count: count)
  unsafe bytes.withUnsafeMutableBytes { target in
    unsafe gcry_randomize(target.baseAddress, target.count, GCRY_STRONG_RANDOM)
  }
  return bytes
}

/// Random numbers for secrets that people keep: from the kernel, by libgcrypt's strongest level.
public struct RandomNumbers {
  private var bytes: [UInt8] = []

  public init() {}

  /// Returns a number below a bound, each as likely as the others.
  ///
  /// - Throws: ``CryptoError/parametersOutOfRange`` unless the bound is 1 to 65,536.
  public mutating func next(below bound: Int) throws(CryptoError) -> Int {
    guard 1...65_536 ~= bound else { throw .parametersOutOfRange }
    // Of the numbers of 16 bits, those from the last multiple of the bound on would make the first ones likelier.
    let end = 65_536 - 65_536 % bound
    while true {
      let number = Int(try nextByte()) << 8 | Int(try nextByte())
      if number < end { return number % bound }
    }
  }

  private mutating func nextByte() throws(CryptoError) -> UInt8 {
    if bytes.isEmpty {
      try CryptoLibrary.start()
      bytes = [UInt8](repeating: 0, count: 64)
      unsafe bytes.withUnsafeMutableBytes {
        unsafe gcry_randomize($0.baseAddress, $0.count, GCRY_VERY_STRONG_RANDOM)
      }
    }
    return bytes.removeLast()
  }
}

/// Sixteen random bytes that make a derived key differ from every other.
///
/// Two integers rather than an array: a salt is read with every record, and costs no allocation.
public struct Salt: Hashable, Sendable {
  let high: UInt64
  let low: UInt64

  /// The length of a salt in bytes.
  public static let count = 16

  init(high: UInt64, low: UInt64) {
    (self.high, self.low) = (high, low)
  }

  /// Generates a salt.
  ///
  /// - Throws: ``CryptoError/libraryFailure(operation:code:)`` when libgcrypt does not start.
  public init() throws(CryptoError) {
    try self.init(randomBytes(Self.count))
  }

  /// Reads a stored salt.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 16 bytes.
  public init(_ bytes: RawSpan) throws(CryptoError) {
    guard bytes.byteCount == Self.count else { throw .malformed }
    high = bytes.bigEndian(at: 0)
    low = bytes.bigEndian(at: 8)
  }

  /// Reads a stored salt.
  ///
  /// - Throws: ``CryptoError/malformed`` unless there are 16 bytes.
  public init(_ bytes: [UInt8]) throws(CryptoError) {
    self = try bytes.withRawSpan { (span) throws(CryptoError) in try Salt(span) }
  }

  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.count)
    bytes.append(bigEndian: high)
    bytes.append(bigEndian: low)
    return bytes
  }

  func store(in span: inout MutableRawSpan, at offset: Int) {
    span.store(bigEndian: high, at: offset)
    span.store(bigEndian: low, at: offset + 8)
  }
}
