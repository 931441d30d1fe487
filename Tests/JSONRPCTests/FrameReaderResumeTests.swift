import TestSamples
import Testing

@testable import Wire

/// Streams that arrive in pieces, and streams that another reader continues.
@Suite struct FrameReaderResumeTests {
  static let streams: [String] = [
    "Content-Length: 2\r\n\r\n{}Content-Type: x; charset=utf8\r\nContent-Length: 4\r\n\r\nnullcontent-length: 0\n\n",
    "Content-Length: 3\nX: 1\nContent-Length: 3\n\n\n\n\n\r\n Content-Length: 1\r\nX: 2\r\n\r\n1",
    "{\"a\":1}\n[]\r\n\n  \n\"税\"\r\n{}",
    "{}\n",
    "Content-Length: 2\r\n\r\n{}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}Content-Length: 2\r\n\r\n[]",
    "X: 1\r\n\r\nContent-Length: 2\r\n\r\n{}",
    "Content-Length: 2\r\n\r\n{}garbage\r\nContent-Length: 2\r\n\r\n{}",
    "Content-Length: 2\r\n\r\n{}Content-Length: 40000000\r\n\r\nabcdef",
    "Content-Length: 10\r\nX: y\r\n\r\n{}",
    "", " ", "x",
  ]

  @Test("Frames: pieces of every size give the same frames", arguments: streams)
  func pieces(stream: String) {
    let bytes = Array(stream.utf8)
    let whole = Reading(of: bytes)
    for size in 1...max(bytes.count, 1) { #expect(Reading(of: bytes, inPiecesOf: size) == whole) }
  }

  @Test(
    "Frames: another reader can continue at every byte", arguments: streams)
  func resumed(stream: String) {
    let bytes = Array(stream.utf8)
    let whole = Reading(of: bytes)
    for position in 0...bytes.count {
      #expect(Reading(of: bytes, resumingAt: [position]) == whole, "resumed at \(position)")
    }
    #expect(Reading(of: bytes, resumingAt: Array(0...bytes.count)) == whole, "resumed at every byte")
  }

  @Test("Frames: another reader can continue inside a line over the limit")
  func resumedInLongLine() throws {
    var reader = FrameReader()
    reader.append([UInt8](repeating: UInt8(ascii: "1"), count: (32 << 20) + 2))
    #expect(try reader.next() == .tooLarge)
    let streamState = try #require(StreamState(decoding: reader.streamState.encoded))
    #expect(streamState.skipping == .line)
    reader = FrameReader(resuming: streamState)
    reader.append(Array("11\n{}\n".utf8))
    #expect(try reader.next() == .message(Array("{}".utf8)))
    #expect(try reader.next() == nil)
  }

  @Test("Frames: random bytes cause no trap", arguments: 0..<4)
  func random(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("Content-Length: 0123\r\n\n\n{}[]:x".utf8)
    for _ in 0..<2_000 {
      let start =
        [[], Array("Content-Length: ".utf8), Array("{".utf8)].randomElement(using: &generator) ?? []
      let bytes =
        start
        + (0..<Int.random(in: 0..<60, using: &generator)).map { _ in
          Int.random(in: 0..<10, using: &generator) == 0
            ? UInt8.random(in: 0...255, using: &generator) : alphabet.randomElement(using: &generator) ?? 0
        }
      let whole = Reading(of: bytes)
      let size = Int.random(in: 1...8, using: &generator)
      #expect(Reading(of: bytes, inPiecesOf: size) == whole)
      let position = Int.random(in: 0...bytes.count, using: &generator)
      #expect(Reading(of: bytes, resumingAt: [position]) == whole, "\(bytes) resumed at \(position)")
    }
  }
}
