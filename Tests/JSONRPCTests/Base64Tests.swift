import Testing
import Wire

@Suite("Base64") struct Base64Tests {
  @Test("Bytes are encoded as in RFC 4648, section 10; other texts are rejected")
  func vectors() throws {
    let vectors = [
      "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
      "foobar": "Zm9vYmFy",
    ]
    for (plain, text) in vectors {
      #expect(encoded(Array(plain.utf8)) == text)
      #expect(decoded(text) == Array(plain.utf8))
      #expect(decoded(text.map { "\($0)\r\n " }.joined()) == Array(plain.utf8))
    }
    for text in ["Z", "Zg", "Zg=", "Zg===", "=", "Zm9v=", "Z=g=", "Zg==Zg==", "Zm9-", "Zm9_", "字", "Zg==\0"] {
      #expect(decoded(text) == nil, "\(text)")
    }
    let all = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 3) }
    #expect(decoded(encoded(all)) == all)
  }

  private func encoded(_ bytes: [UInt8]) -> String {
    Base64.encode(bytes.span.bytes)
  }

  private func decoded(_ text: String) -> [UInt8]? {
    let room = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Base64.decodedCount(text.utf8.count), alignment: 1)
    defer { room.deallocate() }
    var output = room.mutableBytes
    guard let count = Base64.decode(text, into: &output) else { return nil }
    return Array(room.prefix(count))
  }
}
