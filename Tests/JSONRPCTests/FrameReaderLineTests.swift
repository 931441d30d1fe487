import Testing

@testable import Wire

/// Frames as lines, and how the framing shows in the first byte.
@Suite struct FrameReaderLineTests {
  @Test("Frames: a letter begins headers, every other byte a line", arguments: 0...255)
  func detection(byte: UInt8) throws {
    var reader = FrameReader()
    #expect(reader.framing == nil)
    reader.append([byte])
    #expect(try reader.next() == nil || byte == 0x0A)
    let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    let isWhiteSpace = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    #expect(reader.framing == (isWhiteSpace ? nil : isLetter ? .headers : .lines))
  }

  @Test("Frames: the first byte decides on the framing of the whole stream")
  func framingStays() {
    let lines = Reading(of: "{}\nContent-Length: 2\n\n[]\n")
    #expect(lines.frames == ["{}", "Content-Length: 2", "[]"])
    let headers = Reading(of: "Content-Length: 2\r\n\r\n{}[]\n")
    #expect(headers.frames == ["{}"])
    #expect(headers.fault == .malformedHeader)
  }

  @Test(
    "Frames: lines end with LF or CRLF, the last with nothing",
    arguments: [
      ("{}\n", ["{}"]), ("{}\r\n", ["{}"]), ("{}", ["{}"]), ("{}\n[]", ["{}", "[]"]),
      ("{}\r\n[]\n", ["{}", "[]"]),
      ("\n\n{}\n\n\r\n  \n[]\n\n", ["{}", "[]"]), ("  {} \n", ["{} "]), ("", []), ("\n", []),
      (" \t\r\n ", []),
      ("{}\n ", ["{}"]), ("{\r}\n", ["{\r}"]), ("\u{0}\n", ["\u{0}"]), ("\u{FEFF}{}\n", ["\u{FEFF}{}"]),
      ("garbage?", []), ("?garbage\n{}", ["?garbage", "{}"]),
    ])
  func lines(stream: String, frames: [String]) {
    let reading = Reading(of: stream)
    #expect(reading.frames == frames)
    #expect(reading.fault == (stream == "garbage?" ? .truncated : nil))
  }

  @Test("Frames: bytes that are not text are a line like any other")
  func binary() {
    #expect(Reading(of: [0xFF, 0x00, 0x80, 0x0A, 0x7B, 0x7D]).frames.count == 2)
  }
}
