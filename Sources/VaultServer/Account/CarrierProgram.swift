import CLinux
import EventLoop
import Glibc
import JSONRPC

/// A running `quickvault-carrier serve`, which has the network that this process gave up. It ends when this object is released.
///
/// It is used on the loop's thread.
final class CarrierProgram {
  private static let readingLimit = 16 << 10

  let peer: Peer
  private let loop: EventLoop
  private let descriptor: Int32

  /// Starts it.
  ///
  /// - Parameters:
  ///   - starter: the descriptor of the process that starts it.
  ///   - onNotification: receives its notifications.
  init(
    _ starter: Int32, on loop: EventLoop,
    onNotification: @escaping @Sendable (IncomingNotification) -> Void
  ) throws(SystemError) {
    let descriptor = linux_starter_run(starter)
    guard descriptor >= 0 else { throw SystemError("sendmsg") }
    let peer = Peer(on: loop, write: { Self.write($0, to: descriptor) }, onNotification: onNotification)
    (self.loop, self.descriptor, self.peer) = (loop, descriptor, peer)
    loop.watch(descriptor, for: .reading) { Self.read(from: descriptor, into: peer, loop) }
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
  }

  /// Writes a request, which is far smaller than what the socket takes. A rest that it does not take closes the connection.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count != bytes.count { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private static func read(from descriptor: Int32, into peer: Peer, _ loop: EventLoop) {
    var buffer = [UInt8](repeating: 0, count: readingLimit)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    let isOpen = peer.assumeIsolated { peer in
      if count > 0 { return peer.receive(Array(buffer[..<count])) }
      peer.end()
      return false
    }
    if !isOpen { loop.unwatch(descriptor) }
  }
}
