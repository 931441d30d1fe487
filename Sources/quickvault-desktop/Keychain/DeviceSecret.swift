import Glibc

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
    guard text.utf8.count == 44, text.utf8.last == UInt8(ascii: "=") else { return nil }
    var (bits, bitCount, position) = (UInt32(0), 0, 0)
    for character in text.utf8.dropLast() {
      guard let value = Self.value(of: character) else { return nil }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      unsafe memory[position] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
      position += 1
    }
    guard position == Self.count, bits & 3 == 0 else { return nil }
  }

  var base64: String {
    var text = ""
    text.reserveCapacity(44)
    for start in stride(from: 0, to: Self.count, by: 3) {
      let group = (0..<3).map { start + $0 < Self.count ? unsafe UInt32(memory[start + $0]) : 0 }
      let bits = group[0] << 16 | group[1] << 8 | group[2]
      let count = min(Self.count - start, 3) + 1
      for index in 0..<4 {
        let scalar =
          index < count ? Self.alphabet[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "=")
        text.unicodeScalars.append(Unicode.Scalar(scalar))
      }
    }
    return text
  }

  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(memory))
  }

  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func value(of character: UInt8) -> UInt8? {
    alphabet.firstIndex(of: character).map { UInt8($0) }
  }
}
