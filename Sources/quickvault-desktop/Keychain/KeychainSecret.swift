import Glibc
import HelperProtocols
import Wire

/// A secret of the keychain, wiped when released.
@safe
final class KeychainSecret: @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private let count: Int

  private init(capacity: Int, count: Int) {
    unsafe memory = .allocate(byteCount: capacity, alignment: 1)
    self.count = count
  }

  deinit {
    if let start = unsafe memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
    unsafe memory.deallocate()
  }

  /// Copies bytes; nil for a number that the purpose does not allow.
  convenience init?(copying bytes: UnsafeRawBufferPointer, for purpose: KeychainItem.Purpose) {
    guard purpose.allowedCounts.contains(bytes.count) else { return nil }
    self.init(capacity: bytes.count, count: bytes.count)
    unsafe memory.copyMemory(from: bytes)
  }

  /// Decodes canonical Base64 (RFC 4648, section 4); nil for anything else.
  convenience init?(base64 text: String, for purpose: KeychainItem.Purpose) {
    let (digits, capacity) = (text.utf8.count, Base64.decodedCount(text.utf8.count))
    guard digits % 4 == 0, digits <= Base64.encodedCount(purpose.allowedCounts.upperBound) else { return nil }
    self.init(
      capacity: capacity, count: digits / 4 * 3 - text.utf8.suffix(2).count { $0 == UInt8(ascii: "=") })
    var bytes = unsafe MutableRawSpan(_unsafeBytes: memory)
    guard purpose.allowedCounts.contains(count), Base64.decode(text, into: &bytes) == count, base64 == text
    else { return nil }
  }

  var base64: String { unsafe withBytes { unsafe Base64.encode(RawSpan(_unsafeBytes: $0)) } }

  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
  }
}

extension KeychainItem.Purpose {
  /// How many bytes a secret may have.
  fileprivate var allowedCounts: ClosedRange<Int> {
    switch self {
    case .device: 32...32
    case .account: 1...65_536
    }
  }
}
