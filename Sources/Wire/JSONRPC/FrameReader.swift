/// Splits a stream of bytes into frames, in either framing.
package struct FrameReader: Sendable {
  private enum State: Sendable {
    case start
    case header(length: Int?, size: Int)
    case content(length: Int)
    case skippingContent(left: Int)
    case line(scanned: Int)
    case skippingLine
  }

  private static let headerLimit = 16 << 10

  /// The framing, known from the first byte on.
  private(set) var framing: Framing?
  private var pending = ByteQueue()
  private var state = State.start
  private var hasEnded = false
  /// Whether ``ByteQueue/commonHeader`` is used; tests compare both ways.
  private let readsCommonHeadersDirectly: Bool

  package init(readingCommonHeadersDirectly: Bool = true) {
    readsCommonHeadersDirectly = readingCommonHeadersDirectly
  }

  /// Creates a reader that continues from the state of another.
  package init(resuming streamState: StreamState) {
    readsCommonHeadersDirectly = true
    framing = streamState.framing
    pending.append(streamState.bytes)
    switch streamState.skipping {
    case .nothing: break
    case .content(let left): state = .skippingContent(left: left)
    case .line: state = .skippingLine
    }
  }

  package var streamState: StreamState {
    switch state {
    case .start, .line: StreamState(framing: framing, bytes: pending.bytes)
    case .header(nil, 0): StreamState(framing: framing, bytes: pending.bytes)
    case .header(nil, _):
      StreamState(framing: framing, bytes: Array("Content-Type:\r\n".utf8) + pending.bytes)
    case .header(let length?, _):
      StreamState(framing: framing, bytes: Array("Content-Length: \(length)\r\n".utf8) + pending.bytes)
    case .content(let length):
      StreamState(framing: framing, bytes: Array("Content-Length: \(length)\r\n\r\n".utf8) + pending.bytes)
    case .skippingContent(let left):
      StreamState(framing: framing, skipping: .content(left: left), bytes: pending.bytes)
    case .skippingLine: StreamState(framing: framing, skipping: .line, bytes: pending.bytes)
    }
  }

  /// The number of bytes that are in no frame yet.
  var pendingCount: Int { pending.count }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    pending.append(bytes)
  }

  /// Marks the end of the input: a last line needs no line break.
  package mutating func end() {
    hasEnded = true
  }

  private enum Step {
    case item(Frame)
    case again
    case needsMore
  }

  /// The next complete frame; nil if more bytes are needed, or at the end.
  ///
  /// - Parameter longest: the length of the longest message that is kept; asked only for one over ``ConnectionLimits/least``.
  /// - Throws: ``StreamError`` if no further frame can be found.
  package mutating func next(longest: @autoclosure () -> Int = Framing.frameLimit) throws(StreamError)
    -> Frame?
  {
    while true {
      switch try step({ $0 > ConnectionLimits.least.message && $0 > longest() }) {
      case .item(let item): return item
      case .again: continue
      case .needsMore: return nil
      }
    }
  }

  private mutating func step(_ isTooLong: (Int) -> Bool) throws(StreamError) -> Step {
    switch state {
    case .start: begin(isTooLong)
    case .header(let length, let size): try readHeader(length, size, isTooLong)
    case .content(let length): try readContent(length)
    case .skippingContent(let left): try skipContent(left)
    case .line(let scanned): readLine(scanned, isTooLong)
    case .skippingLine: skipLine()
    }
  }

  /// Skips white space between frames and detects the framing by the first byte after it.
  private mutating func begin(_ isTooLong: (Int) -> Bool) -> Step {
    while let byte = pending.first, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      pending.drop(1)
    }
    guard let byte = pending.first else { return .needsMore }
    let framing = framing ?? Framing(firstByte: byte)
    self.framing = framing
    if framing == .headers, readsCommonHeadersDirectly, let (length, size) = pending.commonHeader,
      !isTooLong(length)
    {
      pending.drop(size)
      state = .content(length: length)
      return .again
    }
    state = framing == .headers ? .header(length: nil, size: 0) : .line(scanned: 0)
    return .again
  }

  private mutating func readHeader(
    _ length: Int?, _ size: Int, _ isTooLong: (Int) -> Bool
  ) throws(StreamError) -> Step {
    guard let end = pending.distance(to: 0x0A) else {
      guard pending.count + size <= Self.headerLimit else { throw .headerTooLong }
      return try wait()
    }
    let size = size + end + 1
    guard size <= Self.headerLimit else { throw .headerTooLong }
    var line = pending.prefix(end)
    if line.last == 0x0D { line.removeLast() }

    guard !line.isEmpty else {
      guard let length else { throw .missingLength }
      pending.drop(end + 1)
      guard !isTooLong(length) else {
        state = .skippingContent(left: length)
        return .item(.tooLarge)
      }
      state = .content(length: length)
      return .again
    }
    let header = try Self.header(line)
    var value = length
    if header.isLength {
      value = Self.length(header.value)
      guard value != nil, length == nil || length == value else { throw .malformedLength }
    }
    pending.drop(end + 1)
    state = .header(length: value, size: size)
    return .again
  }

  /// Parses a header line: whether its name is `Content-Length`, in any case, and its value.
  private static func header(_ line: [UInt8]) throws(StreamError) -> (
    isLength: Bool, value: ArraySlice<UInt8>
  ) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
      line[..<colon].allSatisfy({ $0 > 0x20 && $0 < 0x7F }), line.allSatisfy({ $0 >= 0x20 || $0 == 0x09 }),
      (try? UTF8Span(validating: line.span)) != nil
    else { throw .malformedHeader }
    // Setting the bit 0x20 lowers a capital letter and keeps the hyphen.
    let isLength = line[..<colon].elementsEqual("content-length".utf8) { $0 | 0x20 == $1 }
    return (isLength, line[(colon + 1)...])
  }

  private static func length(_ value: ArraySlice<UInt8>) -> Int? {
    let words = value.split { $0 == 0x20 || $0 == 0x09 }
    guard words.count == 1, let word = words.first, word.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int(String(decoding: word, as: UTF8.self))
  }

  /// Asks for more bytes inside a frame; at the end of the input there are none.
  private func wait() throws(StreamError) -> Step {
    if hasEnded { throw .truncated }
    return .needsMore
  }

  private mutating func readContent(_ length: Int) throws(StreamError) -> Step {
    guard pending.count >= length else { return try wait() }
    state = .start
    return .item(.message(pending.take(length)))
  }

  private mutating func skipContent(_ left: Int) throws(StreamError) -> Step {
    let dropped = min(left, pending.count)
    pending.drop(dropped)
    state = dropped == left ? .start : .skippingContent(left: left - dropped)
    return dropped == left ? .again : try wait()
  }

  private mutating func readLine(_ scanned: Int, _ isTooLong: (Int) -> Bool) -> Step {
    guard let end = pending.distance(to: 0x0A, from: scanned) else { return readOpenLine(isTooLong) }
    state = .start
    guard !isTooLong(end - 1) else {
      pending.drop(end + 1)
      return .item(.tooLarge)
    }
    var line = pending.take(end)
    pending.drop(1)
    if line.last == 0x0D { line.removeLast() }
    return .item(isTooLong(line.count) ? .tooLarge : .message(line))
  }

  /// Handles a line without its end: too long, the last of the stream, or incomplete.
  private mutating func readOpenLine(_ isTooLong: (Int) -> Bool) -> Step {
    // One byte over the limit may be the first of CRLF.
    guard !isTooLong(hasEnded ? pending.count : pending.count - 1) else {
      pending.drop(pending.count)
      state = .skippingLine
      return .item(.tooLarge)
    }
    guard hasEnded, !pending.isEmpty else {
      state = .line(scanned: pending.count)
      return .needsMore
    }
    state = .start
    return .item(.message(pending.take(pending.count)))
  }

  private mutating func skipLine() -> Step {
    guard let end = pending.distance(to: 0x0A) else {
      pending.drop(pending.count)
      return .needsMore
    }
    pending.drop(end + 1)
    state = .start
    return .again
  }
}
