import TestSamples
import Testing
import Wire

/// What one process leaves to the next.
@Suite struct RemainderTests {
  private static func streamState(using generator: inout SeededGenerator) -> StreamState {
    func bytes() -> [UInt8] {
      (0..<Int.random(in: 0..<40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
      }
    }
    let frames: [Frame] = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
      Bool.random(using: &generator) ? .message(bytes()) : .tooLarge
    }
    let skippings: [StreamState.Skipping] = [
      .nothing, .line, .content(left: 1), .content(left: .max),
      .content(left: Int.random(in: 1 ... .max, using: &generator)),
    ]
    return StreamState(
      framing: [nil, .headers, .lines].randomElement(using: &generator) ?? nil, frames: frames,
      skipping: skippings.randomElement(using: &generator) ?? .nothing, bytes: bytes())
  }

  @Test("StreamState: decoding an encoded state returns it")
  func roundTrip() {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let streamState = Self.streamState(using: &generator)
      #expect(StreamState(decoding: streamState.encoded) == streamState)
    }
    #expect(StreamState(decoding: StreamState().encoded) == StreamState())
  }

  @Test("StreamState: a truncated encoding is rejected")
  func cutShort() {
    let frames: [Frame] = [.message([1, 2, 3]), .tooLarge, .message([])]
    let encoded = StreamState(framing: .lines, frames: frames, skipping: .line).encoded
    for count in 0..<encoded.count { #expect(StreamState(decoding: Array(encoded[..<count])) == nil) }
  }

  @Test("StreamState: random bytes cause no trap, and a state read from them encodes to the same bytes")
  func random() {
    var generator = SeededGenerator(seed: 2)
    var decoded = 0
    for _ in 0..<20_000 {
      var bytes = Self.streamState(using: &generator).encoded
      for _ in 0..<Int.random(in: 1..<4, using: &generator) {
        guard let index = bytes.indices.randomElement(using: &generator) else { break }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        case 1: bytes.removeSubrange(index...)
        default: bytes.insert(0xFF, at: index)
        }
      }
      guard let streamState = StreamState(decoding: bytes) else { continue }
      decoded += 1
      #expect(streamState.encoded == bytes)
    }
    #expect(decoded > 100)
  }

  @Test("StreamState: extreme numbers are rejected", arguments: [Int.max, Int.min, -3, 1 << 62, 2])
  func edges(number: Int) {
    let word = withUnsafeBytes(of: number.bigEndian) { Array($0) }
    let zero = [UInt8](repeating: 0, count: 8)
    let one = [UInt8](repeating: 0, count: 7) + [1]
    #expect(StreamState(decoding: zero + zero + word) == nil)
    #expect(StreamState(decoding: zero + zero + one + word) == nil)
    if number != 2 { #expect(StreamState(decoding: word + zero + zero) == nil) }
    if number < 0 { #expect(StreamState(decoding: zero + word + zero) == nil) }
  }
}
