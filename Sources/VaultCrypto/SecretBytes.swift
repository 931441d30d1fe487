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

/// A piece of libgcrypt's secure memory with one owner: locked where the system allows, zeroed before it is freed.
@safe
struct SecureMemory: ~Copyable, @unchecked Sendable {
  let count: Int
  private let start: UnsafeMutableRawPointer

  /// Throws ``CryptoError/secureMemoryExhausted``; ``CryptoError/parametersOutOfRange`` for a negative count.
  init(count: Int) throws(CryptoError) {
    try CryptoLibrary.start()
    guard count >= 0 else { throw .parametersOutOfRange }
    guard let start = unsafe gcry_malloc_secure(max(count, 1)) else { throw .secureMemoryExhausted }
    unsafe memset(start, 0, max(count, 1))
    self.count = count
    unsafe self.start = start
  }

  deinit {
    unsafe explicit_bzero(start, count)
    unsafe gcry_free(start)
  }

  func withSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let span = unsafe UnsafeRawBufferPointer(start: start, count: count).bytes
    return try body(span)
  }

  mutating func withMutableSpan<Result, Failure: Error>(
    _ body: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var span = unsafe UnsafeMutableRawBufferPointer(start: start, count: count).mutableBytes
    return try body(&span)
  }
}

// Integers in the vault format are big-endian throughout.

extension RawSpan {
  /// The integer whose most significant byte is at `offset`. The caller has checked that it lies inside.
  func bigEndian<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value {
    unsafe Value(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

extension MutableRawSpan {
  /// Stores an integer with its most significant byte at `offset`. There must be room for it.
  mutating func store<Value: FixedWidthInteger & BitwiseCopyable>(bigEndian value: Value, at offset: Int) {
    storeBytes(of: value.bigEndian, toByteOffset: offset, as: Value.self)
  }

  /// Copies bytes to `offset`. There must be room for it.
  mutating func copy(_ source: RawSpan, at offset: Int) {
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: target[offset...]).copyMemory(from: bytes)
      }
    }
  }

  /// Stores the bytes of a compile-time string at `offset`.
  mutating func store(_ text: StaticString, at offset: Int) {
    unsafe withUnsafeMutableBytes { target in
      text.withUTF8Buffer { source in
        for index in 0..<source.count { unsafe target[offset + index] = source[index] }
      }
    }
  }
}

extension [UInt8] {
  /// Calls `body` with the bytes. `Span.bytes` counts as unsafe because elements may have padding; bytes have none.
  @inlinable package func withRawSpan<Result, Failure: Error>(
    _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let span = unsafe span.bytes
    return try body(span)
  }

  /// Calls `body` with the bytes for writing.
  mutating func withMutableRawSpan<Result, Failure: Error>(
    _ body: (inout MutableRawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var elements = mutableSpan
    var span = unsafe elements.mutableBytes
    return try body(&span)
  }

  /// Appends an integer, most significant byte first.
  @inlinable package mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
    for shift in stride(from: Value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> Value(shift)))
    }
  }
}
