import CLinux
import Glibc

/// A descriptor for writing, and how much can be written to it at once.
struct OutputDescriptor: Sendable {
  let descriptor: Int32
  /// The number of bytes that can be written without waiting when it is ready.
  private let portion: Int
  /// How much it takes without waiting if it is an empty pipe, in bytes; nil for all else.
  private let pipeSize: Int?

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    let size = Int(linux_pipe_size(descriptor))
    pipeSize = size > 0 ? min(size, Relay.bufferSize) : nil
    // A socket is ready for writing when a quarter of its buffer is used at most.
    let socketBuffer = Int(linux_send_buffer_size(descriptor))
    portion = min(max(socketBuffer / 4, Int(PIPE_BUF)), Relay.bufferSize)
  }

  /// Waits until it can be written to, or nobody can read it any more.
  func waitUntilReady() {
    var query = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while unsafe poll(&query, 1, -1) < 0, errno == EINTR {}
  }

  /// How many bytes it takes without waiting, once it is ready.
  var room: Int {
    guard let pipeSize, linux_unread(descriptor) == 0 else { return portion }
    return pipeSize
  }
}
