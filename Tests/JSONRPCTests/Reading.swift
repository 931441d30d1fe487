@testable import Wire

/// All that a reader makes of a stream.
struct Reading: Equatable {
  /// Stands for a frame over the limit.
  static let tooLarge = "(too large)"

  private(set) var frames: [String] = []
  private(set) var fault: StreamError?
  private(set) var framing: Framing?

  init(of stream: String) {
    self.init(of: Array(stream.utf8))
  }

  /// Reads a stream that comes in pieces of one size.
  init(of stream: [UInt8], inPiecesOf size: Int = .max, readingCommonHeadersDirectly: Bool = true) {
    var reader = FrameReader(readingCommonHeadersDirectly: readingCommonHeadersDirectly)
    var rest = stream[...]
    while !rest.isEmpty {
      reader.append(rest.prefix(size))
      rest = rest.dropFirst(size)
      take(from: &reader)
    }
    finish(&reader)
  }

  /// Reads a stream with a reader that another takes over from at each of the positions, in rising order.
  init(of stream: [UInt8], resumingAt positions: [Int]) {
    var reader = FrameReader()
    var start = 0
    for position in positions {
      reader.append(stream[start..<position])
      start = position
      take(from: &reader)
      guard let streamState = StreamState(decoding: reader.streamState.encoded) else {
        frames.append("(no streamState at \(position))")
        return
      }
      reader = FrameReader(resuming: streamState)
      fault = nil
    }
    reader.append(stream[start...])
    finish(&reader)
  }

  private mutating func finish(_ reader: inout FrameReader) {
    take(from: &reader)
    reader.end()
    take(from: &reader)
    framing = reader.framing
  }

  private mutating func take(from reader: inout FrameReader) {
    guard fault == nil else { return }
    do {
      while let frame = try reader.next() {
        switch frame {
        case .message(let bytes): frames.append(String(decoding: bytes, as: UTF8.self))
        case .tooLarge: frames.append(Self.tooLarge)
        }
      }
    } catch {
      fault = error
    }
  }
}
