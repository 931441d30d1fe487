import Testing

@testable import Wire

/// Frames at and over 32 MiB.
@Suite struct FrameReaderLimitTests {
  private static let limit = 32 << 20
  private static let piece = [UInt8](repeating: UInt8(ascii: "1"), count: 64 << 10)

  /// Gives a reader so many bytes, a piece at a time, and takes what comes out of it.
  private static func feed(_ count: Int, to reader: inout FrameReader) throws -> (frames: [Frame], held: Int)
  {
    var frames: [Frame] = []
    var held = 0
    var left = count
    while left > 0 {
      reader.append(piece[..<min(left, piece.count)])
      left -= min(left, piece.count)
      while let frame = try reader.next() { frames.append(frame) }
      held = max(held, frames.contains(.tooLarge) ? reader.streamState.bytes.count : 0)
    }
    return (frames, held)
  }

  @Test("Frames: content of exactly 32 MiB is read")
  func contentAtLimit() throws {
    var reader = FrameReader()
    reader.append(Array("Content-Length: \(Self.limit)\r\n\r\n".utf8))
    let (frames, _) = try Self.feed(Self.limit, to: &reader)
    #expect(frames.map(\.size) == [Self.limit])
    reader.append(Array("Content-Length: 2\r\n\r\n{}".utf8))
    #expect(try reader.next() == .message(Array("{}".utf8)))
  }

  @Test("Frames: content over 32 MiB is rejected and discarded as it arrives, and the next frame is read")
  func contentOverLimit() throws {
    for length in [Self.limit + 1, Self.limit + 100_000] {
      var reader = FrameReader()
      reader.append(Array("Content-Length: \(length)\r\n\r\n".utf8))
      #expect(try reader.next() == .tooLarge)
      let (frames, _) = try Self.feed(length, to: &reader)
      #expect(frames.isEmpty)
      #expect(reader.streamState.bytes.isEmpty)
      reader.append(Array("Content-Length: 2\r\n\r\n{}".utf8))
      #expect(try reader.next() == .message(Array("{}".utf8)))
    }
  }

  @Test("Frames: content over 32 MiB is not buffered")
  func contentNotHeld() throws {
    var reader = FrameReader()
    reader.append(Array("Content-Length: 9223372036854775807\r\n\r\n".utf8))
    #expect(try reader.next() == .tooLarge)
    for _ in 0..<100 {
      reader.append(Self.piece)
      #expect(try reader.next() == nil)
      #expect(reader.streamState.bytes.isEmpty)
    }
    reader.end()
    #expect(throws: StreamError.truncated) { try reader.next() }
  }

  @Test("Frames: a line of exactly 32 MiB is read, ended by LF, by CRLF or by the end")
  func lineAtLimit() throws {
    for ending in ["\n", "\r\n", ""] {
      var reader = FrameReader()
      var (frames, _) = try Self.feed(Self.limit, to: &reader)
      reader.append(Array(ending.utf8))
      reader.end()
      while let frame = try reader.next() { frames.append(frame) }
      #expect(frames.map(\.size) == [Self.limit], "ended by \(ending.debugDescription)")
    }
  }

  @Test("Frames: a line over 32 MiB is rejected once, not kept, and the next line is read")
  func lineOverLimit() throws {
    for (length, ending) in [(Self.limit + 1, "\n"), (Self.limit + 1, "\r\n"), (2 * Self.limit, "\n")] {
      var reader = FrameReader()
      var (frames, held) = try Self.feed(length, to: &reader)
      #expect(held == 0)
      reader.append(Array((ending + "{}\n").utf8))
      while let frame = try reader.next() { frames.append(frame) }
      #expect(frames.map(\.size) == [nil, 2])
    }
  }

  @Test("Frames: a line over 32 MiB that comes in one piece is refused")
  func lineInOnePiece() {
    let line = [UInt8](repeating: UInt8(ascii: "1"), count: Self.limit + 1)
    #expect(Reading(of: line + Array("\n{}\n".utf8)).frames == [Reading.tooLarge, "{}"])
    #expect(Reading(of: line).frames == [Reading.tooLarge])
  }
}

extension Frame {
  /// The number of bytes of a message; nil for one that was too large.
  fileprivate var size: Int? {
    if case .message(let bytes) = self { bytes.count } else { nil }
  }
}
