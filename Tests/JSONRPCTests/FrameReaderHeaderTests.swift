import TestSamples
import Testing

@testable import Wire

/// Frames with headers (Language Server Protocol 3.17, Base Protocol).
@Suite struct FrameReaderHeaderTests {
  @Test(
    "Frames: headers are read in any case, order and spelling",
    arguments: [
      "Content-Length: 2\r\n\r\n{}", "content-length: 2\r\n\r\n{}", "CONTENT-LENGTH: 2\r\n\r\n{}",
      "cOnTeNt-LeNgTh:2\r\n\r\n{}", "Content-Length:\t2 \r\n\r\n{}", "Content-Length:   2\t \r\n\r\n{}",
      "Content-Length: 2\n\n{}", "Content-Length: 2\r\n\n{}", "Content-Length: 2\n\r\n{}",
      "Content-Length: 002\r\n\r\n{}", "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Length: 02\r\n\r\n{}",
      "Content-Length: 2\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}",
      "Content-Type: application/vscode-jsonrpc; charset=utf8\r\nContent-Length: 2\r\n\r\n{}",
      "content-type:text/plain;CHARSET=\"UTF-8\"\r\ncontent-length:2\r\n\r\n{}",
      "Content-Type:\r\nContent-Length: 2\r\n\r\n{}", "Content-Type: a:b:c\r\nContent-Length: 2\r\n\r\n{}",
      "X-Note: 税务\r\nContent-Length: 2\r\n\r\n{}", "\r\n\r\n  Content-Length: 2\r\n\r\n{}",
      "x:\r\nContent-Length: 2\r\n\r\n{}", "X-Mark::\u{301}\r\nContent-Length: 2\r\n\r\n{}",
      "X-Mark:\u{301}\r\nContent-Length: 2\r\n\r\n{}",
    ])
  func liberal(stream: String) {
    let reading = Reading(of: stream)
    #expect(reading.frames == ["{}"])
    #expect(reading.fault == nil)
    #expect(reading.framing == .headers)
  }

  @Test(
    "Frames: a malformed header ends the stream",
    arguments: [
      ("Content-Type: a\r\n\r\n{}", .missingLength), ("X: \n\n", .missingLength),
      ("Content-Length:\r\n\r\n", .malformedLength), ("Content-Length: \r\n\r\n", .malformedLength),
      ("Content-Length: -1\r\n\r\n", .malformedLength), ("Content-Length: +1\r\n\r\n", .malformedLength),
      ("Content-Length: 1.0\r\n\r\n", .malformedLength), ("Content-Length: 0x1\r\n\r\n", .malformedLength),
      ("Content-Length: 1 1\r\n\r\n", .malformedLength), ("Content-Length: 1, 1\r\n\r\n", .malformedLength),
      ("Content-Length: one\r\n\r\n", .malformedLength), ("Content-Length: ٢\r\n\r\n", .malformedLength),
      ("Content-Length: 99999999999999999999\r\n\r\n", .malformedLength),
      ("Content-Length: 9223372036854775808\r\n\r\n", .malformedLength),
      ("Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}", .malformedLength),
      ("Content-Length: 3\r\ncontent-length: 2\r\n\r\n{}", .malformedLength),
      ("garbage\r\n\r\n", .malformedHeader), ("Content-Length 2\r\n\r\n{}", .malformedHeader),
      ("Content-Length : 2\r\n\r\n{}", .malformedHeader), ("Content Length: 2\r\n\r\n", .malformedHeader),
      ("a\u{0}b: 1\r\n", .malformedHeader), ("a: 1\rb\r\n", .malformedHeader),
      ("Aä: 1\r\n", .malformedHeader),
      ("X: 1\r\n: 2\r\n", .malformedHeader), ("null\n", .malformedHeader),
      ("GET / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedHeader),
      ("Content-Length: 2\r\nContent-Type: a\r\n folded\r\n\r\n{}", .malformedHeader),
    ] as [(String, StreamError)])
  func broken(stream: String, fault: StreamError) {
    let reading = Reading(of: stream)
    #expect(reading.frames.isEmpty)
    #expect(reading.fault == fault)
  }

  @Test("Frames: a common header that is read at once gives the same as line by line", arguments: 0..<4)
  func commonHeaders(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let parts = [
      "Content-Length: ", "Content-Length: ", "content-length: ", "Content-Length:", "0", "2", "12", "003",
      "\r\n",
      "\r\n\r\n", "\r\n\r\n", "\n\n", "{}", "[1,2]", " ", "X: y\r\n", "99999999", "7654321",
    ]
    var usual = 0
    for _ in 0..<2_000 {
      var stream = "Content-Length: "
      if Bool.random(using: &generator) { stream += "2\r\n\r\n{}" }
      for _ in 0..<Int.random(in: 0..<12, using: &generator) { stream += generator.one(of: parts) ?? "" }
      let bytes = Array(stream.utf8)
      let size = Int.random(in: 1...bytes.count, using: &generator)
      let plain = Reading(of: bytes, readingCommonHeadersDirectly: false)
      #expect(Reading(of: bytes, inPiecesOf: size) == plain, "\(stream.debugDescription)")
      usual += plain.frames.count
    }
    #expect(usual > 1_000)
  }

  @Test("Frames: a header that is not UTF-8 ends the stream")
  func invalidHeader() {
    #expect(Reading(of: Array("X: ".utf8) + [0xFF, 0x0A]).fault == .malformedHeader)
  }

  @Test("Frames: frames before a malformed header are still returned")
  func beforeBroken() {
    let reading = Reading(of: "Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n1oops\r\n\r\n")
    #expect(reading.frames == ["{}", "1"])
    #expect(reading.fault == .malformedHeader)
  }

  @Test("Frames: empty content is a frame, and line breaks inside content are content")
  func emptyContent() {
    let stream = "Content-Length: 0\r\n\r\nContent-Length: 3\r\n\r\n\n\n\nContent-Length: 0\n\n"
    #expect(Reading(of: stream).frames == ["", "\n\n\n", ""])
  }

  @Test("Frames: 16 KiB of headers are read and one byte more ends the stream", arguments: [1, 7, 400])
  func headerLimit(lines: Int) {
    func headers(of size: Int) -> String {
      let length = "Content-Length: 2\r\n"
      var rest = size - length.utf8.count - 2
      var text = ""
      for line in 1...lines {
        let share = line == lines ? rest : rest / (lines - line + 1)
        rest -= share
        text += "X: " + String(repeating: "a", count: share - 5) + "\r\n"
      }
      return text + length + "\r\n"
    }
    let limit = 16 << 10
    #expect(headers(of: limit).utf8.count == limit)
    #expect(Reading(of: headers(of: limit) + "{}").frames == ["{}"])
    let over = Reading(of: headers(of: limit + 1) + "{}")
    #expect(over.fault == .headerTooLong)
    #expect(over.frames.isEmpty)
  }

  @Test("Frames: a header without an end is rejected at 16 KiB")
  func endlessHeader() throws {
    var reader = FrameReader()
    reader.append(Array(repeating: UInt8(ascii: "a"), count: 16 << 10))
    #expect(try reader.next() == nil)
    reader.append([UInt8(ascii: "a")])
    #expect(throws: StreamError.headerTooLong) { try reader.next() }
  }

  @Test("Frames: a stream that ends inside a frame is truncated, wherever that is")
  func truncated() {
    let stream = Array("Content-Length: 4\r\nX: y\r\n\r\nnull".utf8)
    for count in 1..<stream.count {
      let reading = Reading(of: Array(stream[..<count]))
      #expect(reading.fault == .truncated, "after \(count) bytes")
      #expect(reading.frames.isEmpty)
    }
    #expect(Reading(of: stream).fault == nil)
  }
}
