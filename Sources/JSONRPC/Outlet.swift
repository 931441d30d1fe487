import Glibc

/// The writing end of a conversation: it takes what the other side has room for and never waits.
struct Outlet {
  /// What became of an attempt to write.
  enum Outcome {
    /// Everything is out.
    case empty
    /// The other side has no room for now.
    case full
    /// Nobody will ever read.
    case closed
  }

  private let descriptor: Int32
  private var pending = ByteQueue()

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// How many bytes wait to be written.
  var count: Int { pending.count }

  /// Adds the message that a closure appends to what waits.
  mutating func append(framing: Framing, _ message: (inout [UInt8]) -> Void) {
    pending.append { framing.append(to: &$0, message) }
  }

  /// Writes as much as goes without waiting.
  ///
  /// The descriptor stays as it is, since others may share it (`O_NONBLOCK` belongs to the open file). Instead it is
  /// asked before every piece of no more than PIPE_BUF bytes, for which a pipe that says it has room has room.
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
