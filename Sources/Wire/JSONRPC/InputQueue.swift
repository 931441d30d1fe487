import CLinux
import Glibc

/// The received frames that wait to be answered, and the ids of cancelled requests among them.
struct InputQueue {
  private var reader: FrameReader
  private(set) var frames: [Frame]
  private(set) var next = 0
  private var examined = 0
  private var searched = 0
  private var isNextHeld = false
  private var cancelled: Set<RequestIdentifier> = []

  /// The memory that waiting frames take, in bytes.
  private(set) var size: Int
  /// Whether the input has ended.
  private(set) var hasEnded = false
  /// The error after which no further frame can be found.
  private(set) var error: StreamError?

  /// The bytes that the next read takes at most: few for a request by itself, more when the last read left some.
  private var portion = Self.smallPortion
  private static let smallPortion = 4 << 10

  /// The bytes that were read of a message that is not complete.
  var begunSize: Int { reader.pendingCount }

  /// The framing, known from the first byte on.
  var framing: Framing? { reader.framing }

  init(resuming streamState: StreamState) {
    reader = FrameReader(resuming: streamState)
    frames = streamState.frames
    size = streamState.frames.reduce(0) { $0 + $1.size }
  }

  /// The unanswered input, for another process to continue with.
  var streamState: StreamState {
    var streamState = reader.streamState
    streamState.frames = Array(frames[next...])
    return streamState
  }

  /// Reads what is available, up to 64 KiB. It does not wait at a socket, whose number may be that of one that was just closed.
  ///
  /// - Parameter longest: the length of the longest message that is kept; asked only for one over ``ConnectionLimits/least``.
  mutating func read(from descriptor: Int32, isSocket: Bool, longest: @autoclosure () -> Int) {
    let (count, code) = unsafe withUnsafeTemporaryAllocation(byteCount: portion, alignment: 16) { buffer in
      let count =
        unsafe isSocket
        ? recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
        : Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      let code = errno
      if count > 0 {
        unsafe reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        if let base = buffer.baseAddress { unsafe explicit_bzero(base, count) }
      }
      return (count, code)
    }
    if count < 0, code == EINTR || code == EAGAIN { return }
    if count <= 0 {
      reader.end()
      hasEnded = true
    }
    portion = count == portion ? 64 << 10 : Self.smallPortion
    cut(longest: longest())
  }

  /// Splits the received bytes into frames.
  mutating func cut(longest: @autoclosure () -> Int) {
    guard error == nil else { return }
    do {
      while let frame = try reader.next(longest: longest()) { append(frame) }
    } catch {
      self.error = error
      hasEnded = true
    }
  }

  /// Takes all frames that wait.
  mutating func takeAll() -> [Frame] {
    let waiting = Array(frames[next...])
    frames = []
    (next, examined, searched, size) = (0, 0, 0, 0)
    isNextHeld = false
    return waiting
  }

  /// Adds a frame behind those that wait.
  mutating func append(_ frame: Frame) {
    frames.append(frame)
    size += frame.size
  }

  mutating func takeFrame() -> Frame? {
    guard next < frames.count else { return nil }
    isNextHeld = false
    let frame = frames[next]
    frames[next] = .tooLarge
    next += 1
    size -= frame.size
    // Many at once, so that a long queue is not moved for each frame.
    if next == frames.count || next >= 1_000 && next > frames.count / 2 {
      frames.removeSubrange(..<next)
      examined = max(examined - next, 0)
      searched = max(searched - next, 0)
      next = 0
    }
    return frame
  }

  /// The next frame.
  var first: Frame? { next < frames.count ? frames[next] : nil }

  var isEmpty: Bool { next >= frames.count }

  /// Whether a response may wait.
  var hasResponse: Bool { frames[next...].contains(where: \.mayBeResponse) }

  /// Finds `$/cancelRequest` in the frames received since the last call.
  ///
  /// - Returns: the ids of the cancelled requests.
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

  func isCancelled(_ id: RequestIdentifier) -> Bool { cancelled.contains(id) }

  /// Removes a request from those that were cancelled.
  ///
  /// - Returns: whether it was one of them.
  @discardableResult mutating func forgetCancellation(of id: RequestIdentifier) -> Bool {
    cancelled.remove(id) != nil
  }

  /// The id in the parameters of `$/cancelRequest`.
  static func cancelledIdentifier(_ parameters: JSON?) -> RequestIdentifier? {
    parameters?["id"].flatMap(RequestIdentifier.init)
  }

  private static let cancelRequest = Array("cancelRequest".utf8)

  /// Starts a search with ``firstMessage(matching:)``.
  ///
  /// - Parameter holdsFirst: whether a frame that waits already is not handled ahead of its turn.
  mutating func beginSearch(holdingFirst holdsFirst: Bool) {
    searched = next
    isNextHeld = holdsFirst && !isEmpty
  }

  /// Notes that the next frame was looked at.
  ///
  /// - Returns: whether there is one that was not.
  mutating func holdFirst() -> Bool {
    guard !isNextHeld, !isEmpty else { return false }
    isNextHeld = true
    return true
  }

  /// Takes the next frame. The one behind it is held as this one was.
  mutating func takeFirstKeepingHold() {
    let isHeld = isNextHeld
    _ = takeFrame()
    isNextHeld = isHeld && !isEmpty
  }

  /// The first match among the waiting frames. A search looks at no frame twice, except the one with the match.
  mutating func firstMessage(matching filter: MessageFilter) -> Message? {
    searched = max(searched, next)
    while searched < frames.count {
      if let message = filter.message(in: frames[searched]) { return message }
      searched += 1
    }
    return nil
  }
}

// MARK: Cancellation

// MARK: Messages ahead of their turn

extension [UInt8] {
  func contains(word: [UInt8]) -> Bool {
    unsafe withUnsafeBytes { unsafe linux_contains($0.baseAddress, $0.count, word, word.count) } != 0
  }
}

extension Frame {
  /// False if the frame has a method, and is no response.
  var mayBeResponse: Bool {
    if case .message(let bytes) = self { !bytes.contains(word: Self.method) } else { false }
  }

  private static let method = Array("\"method\"".utf8)

  /// The memory that the frame takes, in bytes.
  fileprivate var size: Int {
    if case .message(let bytes) = self { bytes.count + 64 } else { 64 }
  }
}
