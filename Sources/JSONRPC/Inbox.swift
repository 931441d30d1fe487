import JSON
import CLinux
import Glibc

/// What has come in and waits: frames in order, and the requests that were taken back before their turn.
struct Inbox {
  private var reader: FrameReader
  private var frames: [Frame]
  private var next = 0
  private var examined = 0
  private var searched = 0
  private var isNextHeld = false
  private var cancelled: Set<RequestIdentifier> = []
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// How many bytes the frames take that wait.
  private(set) var size: Int
  /// Whether no byte follows.
  private(set) var hasEnded = false
  /// Why no further frame can be found.
  private(set) var fault: StreamError?

  /// The framing, known from the first byte on.
  var framing: Framing? { reader.framing }

  init(resuming streamState: StreamState) {
    reader = FrameReader(resuming: streamState)
    frames = streamState.frames
    size = streamState.frames.reduce(0) { $0 + $1.size }
  }

  /// All that waits, for another process to go on with.
  var streamState: StreamState {
    var streamState = reader.streamState
    streamState.frames = Array(frames[next...])
    return streamState
  }

  /// Reads what is there, 64 KiB at the most.
  mutating func read(from descriptor: Int32) {
    let count = unsafe buffer.withUnsafeMutableBytes {
      unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    if count > 0 {
      reader.append(buffer[..<count])
      buffer.overwrite(0..<count)
    } else {
      reader.end()
      hasEnded = true
    }
    cut()
  }

  /// Cuts what has come in into frames.
  mutating func cut() {
    guard fault == nil else { return }
    do {
      while let frame = try reader.next() {
        frames.append(frame)
        size += frame.size
      }
    } catch {
      fault = error
      hasEnded = true
    }
  }

  /// Takes the frame whose turn it is.
  mutating func takeFrame() -> Frame? {
    guard next < frames.count else { return nil }
    isNextHeld = false
    let frame = frames[next]
    frames[next] = .tooLarge
    next += 1
    size -= frame.size
    // Those taken are dropped all at once, so that a long queue is not moved for each.
    if next == frames.count || next >= 1_000 && next > frames.count / 2 {
      frames.removeSubrange(..<next)
      examined = max(examined - next, 0)
      searched = max(searched - next, 0)
      next = 0
    }
    return frame
  }
}

// MARK: Cancellation

extension Inbox {
  /// Looks for `$/cancelRequest` in the frames that came in since the last call, and remembers what they take back.
  ///
  /// - Returns: the ids that they name.
  mutating func takeCancellations() -> [RequestIdentifier] {
    var identifiers: [RequestIdentifier] = []
    for frame in frames[max(examined, next)...] {
      guard case .message(let bytes) = frame, bytes.contains(word: Self.cancelRequest),
        let value = try? JSONReader.read(bytes)
      else {
        continue
      }
      let values = if case .array(let values) = value { values } else { [value] }
      for value in values {
        guard case .notification("$/cancelRequest", let parameters) = try? Message(value) else { continue }
        if let id = Self.cancelledIdentifier(parameters) { identifiers.append(id) }
      }
    }
    examined = frames.count
    cancelled.formUnion(identifiers)
    return identifiers
  }

  /// Forgets that a request was taken back.
  ///
  /// - Returns: whether it was.
  @discardableResult mutating func forgetCancellation(of id: RequestIdentifier) -> Bool {
    cancelled.remove(id) != nil
  }

  /// The id of the request that the parameters of `$/cancelRequest` take back.
  static func cancelledIdentifier(_ parameters: JSON?) -> RequestIdentifier? {
    parameters?["id"].flatMap(RequestIdentifier.init)
  }

  private static let cancelRequest = Array("cancelRequest".utf8)
}

// MARK: Urgency

extension Inbox {
  /// Makes ``firstUrgent(_:)`` begin with the frame whose turn is next. What waits already is held.
  mutating func beginSearch() {
    searched = next
    isNextHeld = next < frames.count
  }

  /// The bytes of the message whose turn is next, unless they were looked at before in this search, or none of the methods
  /// can stand in them.
  mutating func nextMessage(mayHold methods: Set<String>) -> [UInt8]? {
    guard !isNextHeld, next < frames.count else { return nil }
    isNextHeld = true
    guard case .message(let bytes) = frames[next],
      Urgency.words(of: methods).contains(where: bytes.contains(word:))
    else { return nil }
    return bytes
  }

  /// The first message that is urgent among those that wait. In one search no frame is looked at twice but the one that
  /// holds it.
  mutating func firstUrgent(_ urgency: Urgency) -> Message? {
    searched = max(searched, next)
    while searched < frames.count {
      if let message = urgency.message(in: frames[searched]) { return message }
      searched += 1
    }
    return nil
  }
}

extension [UInt8] {
  /// Whether a word stands somewhere in the bytes.
  func contains(word: [UInt8]) -> Bool {
    unsafe withUnsafeBytes { unsafe linux_contains($0.baseAddress, $0.count, word, word.count) } != 0
  }
}

extension Frame {
  /// The number of bytes that it takes in memory, with the room around its content.
  fileprivate var size: Int {
    if case .message(let bytes) = self { bytes.count + 64 } else { 64 }
  }
}
