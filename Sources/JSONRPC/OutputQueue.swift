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

  private let descriptor: Int32
  private var pending = ByteQueue()

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The number of waiting bytes.
  var count: Int { pending.count }

  /// Adds the message that the closure appends, unless it has more bytes than `limit`.
  ///
  /// - Returns: whether it was added.
  mutating func append(framing: Framing, upTo limit: Int, _ message: (inout [UInt8]) -> Void) -> Bool {
    pending.append { framing.append(to: &$0, upTo: limit, message) }
  }

  /// Writes as much as is possible without blocking.
  ///
  /// `O_NONBLOCK` belongs to the open file, which other processes may share, so it is not set. Instead the descriptor is
  /// polled before each piece of at most PIPE_BUF bytes: a pipe that is ready takes that many.
  mutating func flush() -> Outcome {
    while !pending.isEmpty {
      guard isReady else { return .full }
      var failure: Int32 = 0
      unsafe pending.consume(upTo: Int(PIPE_BUF)) { piece in
        let written = unsafe write(descriptor, piece.baseAddress, piece.count)
        if written < 0 { failure = errno }
        return max(written, 0)
      }
      switch failure {
      case 0, EINTR: continue
      case EAGAIN: return .full
      default: return .closed
      }
    }
    return .empty
  }

  private var isReady: Bool {
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&query, 1, 0) > 0
  }
}
