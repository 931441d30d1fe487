import CLinux
import Glibc

/// Bytes that wait to be written. Writing never blocks.
struct OutputQueue {
  enum Outcome {
    /// Everything was written.
    case empty
    /// The pipe is full.
    case full
    /// The reader has closed the pipe.
    case closed
  }

  /// The request that a message answers; none for a notification or a request.
  enum Answered {
    case nothing
    case request(RequestIdentifier)
    case batch([RequestIdentifier])
  }

  /// A message that waits, with its place among all bytes of the connection.
  private struct Waiting {
    let start: Int
    let end: Int
    let answered: Answered
  }

  /// How much is written to a socket at once, in bytes.
  private static let socketPortion = 64 << 10

  private let descriptor: Int32
  private let isSocket: Bool
  private var pending = ByteQueue()
  private var written = 0
  private var messages: [Waiting] = []
  /// The end of the message that was begun when others were discarded.
  private var begunEnd = 0
  /// The start of the messages that are not discarded; nil for none.
  private var keptStart: Int?

  /// - Parameter bytes: what another process did not write any more.
  init(_ descriptor: Int32, resuming bytes: [UInt8] = []) {
    self.descriptor = descriptor
    isSocket = linux_is_socket(descriptor) != 0
    guard !bytes.isEmpty else { return }
    pending.append(bytes)
    messages.append(Waiting(start: -1, end: bytes.count, answered: .nothing))
  }

  /// The number of waiting bytes.
  var count: Int { pending.count }

  /// The waiting bytes.
  var bytes: [UInt8] { pending.bytes }

  /// Whether the message is written that had been begun when ``discardMessages()`` was called.
  var hasWrittenBegunMessage: Bool { written >= begunEnd }

  /// Adds the message that the closure appends, unless it has more bytes than `limit`.
  ///
  /// - Returns: whether it was added.
  mutating func append(
    framing: Framing, upTo limit: Int, answering answered: Answered, _ message: (inout [UInt8]) -> Void
  ) -> Bool {
    if messages.count >= 1_000 { messages.removeAll { [written] in $0.end <= written } }
    let start = written + pending.count
    guard pending.append({ framing.append(to: &$0, upTo: limit, message) }) else { return false }
    messages.append(Waiting(start: start, end: written + pending.count, answered: answered))
    return true
  }

  /// Keeps the messages that are appended from now on when others are discarded.
  mutating func keepWhatFollows() { keptStart = written + pending.count }

  /// Discards the messages of which nothing is written, up to those that are kept.
  ///
  /// - Returns: what they answer.
  mutating func discardMessages() -> [Answered] {
    begunEnd = messages.first { $0.start < written && $0.end > written }?.end ?? written
    let end = max(keptStart ?? .max, begunEnd)
    let discarded = messages.filter { $0.start >= begunEnd && $0.start < end }
    messages.removeAll { $0.start >= begunEnd }
    pending.remove(begunEnd - written..<min(end - written, pending.count))
    return discarded.map(\.answered)
  }

  /// Writes as much as is possible without blocking.
  mutating func flush() -> Outcome {
    while !pending.isEmpty {
      var count = 0
      var failure: Int32 = 0
      unsafe pending.consume(upTo: isSocket ? Self.socketPortion : Int(PIPE_BUF)) {
        [descriptor, isSocket] piece in
        count = unsafe Self.write(piece, to: descriptor, isSocket: isSocket)
        if count < 0 { failure = errno }
        return max(count, 0)
      }
      written += max(count, 0)
      switch failure {
      case 0, EINTR: continue
      case EAGAIN: return .full
      default: return .closed
      }
    }
    messages.removeAll(keepingCapacity: true)
    return .empty
  }

  /// Writes a piece once, and does not wait.
  ///
  /// `O_NONBLOCK` belongs to the open file, which other processes may share, so it is not set. A pipe is polled instead before
  /// each piece of at most PIPE_BUF bytes: one that is ready takes that many.
  private static func write(_ piece: UnsafeRawBufferPointer, to descriptor: Int32, isSocket: Bool) -> Int {
    if isSocket {
      let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      return unsafe send(descriptor, piece.baseAddress, piece.count, flags)
    }
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&query, 1, 0) > 0 else {
      errno = EAGAIN
      return -1
    }
    return unsafe Glibc.write(descriptor, piece.baseAddress, piece.count)
  }
}
