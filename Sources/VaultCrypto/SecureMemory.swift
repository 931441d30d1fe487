import CGcrypt
import Glibc

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
