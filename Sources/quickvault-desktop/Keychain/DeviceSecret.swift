import Glibc
import JSON

/// A device's secret of 32 bytes, wiped when released.
@safe
final class DeviceSecret: @unchecked Sendable {
  static let count = 32

  private let memory: UnsafeMutableRawBufferPointer

  private init() {
    unsafe memory = .allocate(byteCount: Self.count, alignment: 1)
  }

  deinit {
    if let start = unsafe memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
    unsafe memory.deallocate()
  }

  /// Copies 32 bytes; nil for any other number.
  convenience init?(copying bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.count else { return nil }
    self.init()
    unsafe memory.copyMemory(from: bytes)
  }

  /// Decodes canonical Base64 (RFC 4648, section 4) of 32 bytes; nil for anything else.
  convenience init?(base64 text: String) {
    self.init()
    var bytes = unsafe MutableRawSpan(_unsafeBytes: memory)
    guard text.utf8.count == 44, Base64.decode(text, into: &bytes) == Self.count, base64 == text else {
      return nil
    }
  }

  var base64: String { unsafe Base64.encode(RawSpan(_unsafeBytes: UnsafeRawBufferPointer(memory))) }

  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(memory))
  }
}
