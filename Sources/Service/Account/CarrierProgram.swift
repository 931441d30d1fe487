import CLinux
import Glibc
import Synchronization
import Wire

/// A running `quickvault-carrier serve`, which has the network that this process gave up. It ends when this object is released.
///
/// It is used on the loop's thread.
final class CarrierProgram {
  private static let readingLimit = 16 << 10

  let peer: Peer
  private let loop: EventLoop
  let descriptor: Int32
  private let received = Received()

  /// Starts it.
  ///
  /// - Parameters:
  ///   - starter: the descriptor of the process that starts it.
  ///   - variables: added to its environment.
  ///   - onNotification: receives its notifications.
  convenience init(
    _ starter: Int32, _ variables: [String: String], on loop: EventLoop,
    onNotification: @escaping @Sendable (IncomingNotification) -> Void
  ) throws(SystemError) {
    var bytes: [UInt8] = []
    for (name, value) in variables { bytes += Array("\(name)=\(value)".utf8) + [0] }
    let descriptor = unsafe linux_starter_run(starter, bytes, bytes.count)
    guard descriptor >= 0 else { throw SystemError("sendmsg") }
    self.init(resuming: descriptor, on: loop, onNotification: onNotification)
  }

  /// Takes over one that runs.
  ///
  /// - Parameter bytes: what the process before received from it.
  init(
    resuming descriptor: Int32, received bytes: [UInt8] = [], on loop: EventLoop,
    onNotification: @escaping @Sendable (IncomingNotification) -> Void = { _ in }
  ) {
    let peer = Peer(on: loop, write: { Self.write($0, to: descriptor) }, onNotification: onNotification)
    (self.loop, self.descriptor, self.peer) = (loop, descriptor, peer)
    received.bytes.withLock { $0 = bytes }
    peer.assumeIsolated { _ = $0.receive(bytes) }
    loop.watch(descriptor, for: .reading) { [received] in
      Self.read(from: descriptor, into: peer, loop, received)
    }
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
  }

  /// Writes a request, which is far smaller than the socket's buffer. A partial write closes the connection.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count != bytes.count { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  /// Returns a duplicate of the connection and the bytes received so far, for the next process; nil if no descriptor is left.
  func handOff() -> (descriptor: Int32, received: [UInt8])? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return copy < 0 ? nil : (copy, received.bytes.withLock(\.self))
  }

  private static func read(from descriptor: Int32, into peer: Peer, _ loop: EventLoop, _ received: Received) {
    var buffer = [UInt8](repeating: 0, count: readingLimit)
    let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    let bytes = buffer[..<max(count, 0)]
    received.bytes.withLock { $0 += bytes }
    let isOpen = peer.assumeIsolated { peer in
      if count > 0 { return peer.receive(Array(bytes)) }
      peer.end()
      return false
    }
    if !isOpen { loop.unwatch(descriptor) }
  }
}

/// What was received from a carrier.
private final class Received: Sendable {
  let bytes = Mutex<[UInt8]>([])
}
