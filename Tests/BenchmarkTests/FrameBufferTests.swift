import Testing

@testable import quickvault_benchmark

@Suite struct FrameBufferTests {
  private func fill(_ buffer: inout FrameBuffer, _ bytes: ArraySlice<UInt8>) -> Int {
    buffer.fill { room in
      let count = min(room.count, bytes.count)
      room.copyBytes(from: bytes.prefix(count))
      return count
    }
  }

  private func frame(_ body: String) -> [UInt8] {
    Array("Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  @Test("frames come out whole, however the bytes come in", arguments: [1, 2, 7, 64, 100_000])
  func pieces(size: Int) throws {
    let bodies = ["{}", "{\"text\":\"你好\"}", "", String(repeating: "x", count: 700_000)]
    var rest = bodies.flatMap(frame)[...]
    var buffer = FrameBuffer()
    var seen: [String] = []
    while !rest.isEmpty {
      rest = rest.dropFirst(fill(&buffer, rest.prefix(size)))
      while let body = try buffer.next() { seen.append(String(decoding: buffer[body], as: UTF8.self)) }
    }
    #expect(seen == bodies)
  }

  @Test("other headers are passed over")
  func otherHeaders() throws {
    var buffer = FrameBuffer()
    _ = fill(&buffer, Array("Content-Type: x\r\nContent-Length: 2\r\n\r\n{}".utf8)[...])
    #expect(try buffer.next().map { Array(buffer[$0]) } == Array("{}".utf8))
    #expect(try buffer.next() == nil)
  }

  @Test(
    "what is no frame is an error",
    arguments: ["Content-Type: x\r\n\r\n", String(repeating: "x", count: 5_000)])
  func broken(text: String) {
    var buffer = FrameBuffer()
    _ = fill(&buffer, Array(text.utf8)[...])
    #expect(throws: BenchmarkError.self) { _ = try buffer.next() }
  }
}
