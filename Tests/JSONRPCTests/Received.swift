import Glibc

@testable import Wire

/// What a client has received, cut into messages by code that shares nothing with the reader under test.
struct Received {
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0

  /// The bytes that were not consumed.
  var rest: ArraySlice<UInt8> { bytes[start...] }

  mutating func append(_ more: ArraySlice<UInt8>) {
    if start > bytes.count / 2 {
      bytes.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// Consumes a message in exactly the server's form; nil until it is complete.
  mutating func take(_ framing: Framing) -> String? {
    guard let lineEnd = lineEnd() else { return nil }
    guard framing == .headers else { return take(start..<lineEnd, upTo: lineEnd + 1) }
    let header = String(decoding: bytes[start..<lineEnd], as: UTF8.self)
    let body = lineEnd + 3
    guard bytes.count >= body else { return nil }
    guard header.hasPrefix("Content-Length: "), header.utf8.last == 0x0D,
      Array(bytes[lineEnd + 1..<body]) == [0x0D, 0x0A],
      let length = Int(header.unicodeScalars.dropFirst(16).dropLast().map { String($0) }.joined())
    else { return take(start..<lineEnd, upTo: bytes.count).map { "(not in the server's form) \($0)" } }
    guard bytes.count >= body + length else { return nil }
    return take(body..<body + length, upTo: body + length)
  }

  private mutating func take(_ range: Range<Int>, upTo end: Int) -> String? {
    start = end
    searched = end
    return String(decoding: bytes[range], as: UTF8.self)
  }

  private mutating func lineEnd() -> Int? {
    let found = bytes.withUnsafeBytes { all -> Int? in
      guard let base = all.baseAddress, searched < all.count,
        let found = memchr(base + searched, 0x0A, all.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
    searched = found ?? bytes.count
    return found
  }
}
