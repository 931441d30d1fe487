import CLinux
import Glibc

/// Reads a line from a socket, and not a byte beyond: what follows may hold a password, and is left to the conversation.
package struct LineReader {
  package enum Outcome: Hashable, Sendable {
    /// The line is not complete yet.
    case incomplete
    /// The line without its end.
    case line([UInt8])
    case tooLong
    /// The other end has closed the connection, or it failed.
    case closed
  }

  private let limit: Int
  private var bytes: [UInt8] = []

  /// - Parameter limit: the maximum length of the line with its end.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Reads what is there without waiting.
  package mutating func read(from socket: Int32) -> Outcome {
    while true {
      let room = limit - bytes.count
      guard room > 0 else { return .tooLong }
      let count = unsafe withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer -> Int in
        guard let base = buffer.baseAddress else { return 0 }
        let seen = unsafe linux_receive(socket, base, room, 1)
        guard seen > 0 else { return seen }
        defer { unsafe explicit_bzero(base, seen) }
        let end = unsafe buffer[..<seen].firstIndex(of: 0x0A)
        let taken = unsafe linux_receive(socket, base, end.map { $0 + 1 } ?? seen, 0)
        if taken > 0 { unsafe bytes += buffer[..<taken] }
        return taken
      }
      if bytes.last == 0x0A { return .line(bytes.dropLast()) }
      guard count <= 0 else { continue }
      return count < 0 && [EAGAIN, EINTR].contains(errno) ? .incomplete : .closed
    }
  }
}
