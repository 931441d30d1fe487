import Vault
import Wire

/// A running `quickvault-desktop`, which speaks D-Bus for this process. It is killed when this object is released.
///
/// It is used on the loop's thread.
final class DesktopProgram: Sendable {
  static let program = "quickvault-desktop"

  let peer: Peer
  private let process: WorkerProcess

  /// A weak reference from the peer to the process, whose callbacks hold the peer.
  private final class ProcessReference: @unchecked Sendable {
    weak var process: WorkerProcess?
  }

  /// The variables that it gets: the addresses of the buses, and the session.
  static let environment: Set = [
    "DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_ID",
  ]
  private static let readingLimit = 16 << 10

  /// Starts it.
  ///
  /// - Parameters:
  ///   - onNotification: receives its notifications.
  ///   - ended: is called when it ends by itself.
  init(
    _ workers: WorkerProcesses, on loop: EventLoop,
    onNotification: @escaping @Sendable (IncomingNotification) -> Void,
    ended: @escaping @Sendable () -> Void
  ) throws(WorkerError) {
    let reference = ProcessReference()
    let peer = Peer(
      on: loop, write: { Self.write($0, to: reference.process) }, onNotification: onNotification)
    self.peer = peer
    process = try workers.start(
      Self.program,
      environment: WorkerProcesses.environment(Self.environment, prefixes: []),
      .init(
        readable: { Self.read(from: reference.process, into: peer) },
        ended: { _ in
          peer.assumeIsolated { $0.end() }
          ended()
        }))
    reference.process = process
  }

  private static func write(_ bytes: [UInt8], to process: WorkerProcess?) {
    guard let process, let copy = PrivateBytes(capacity: bytes.count) else { return }
    copy.append(unsafe bytes.span.bytes)
    process.write(copy)
  }

  private static func read(from process: WorkerProcess?, into peer: Peer) {
    guard let process, let bytes = PrivateBytes(capacity: readingLimit) else { return }
    guard process.read(into: bytes) > 0 else { return }
    let copy = bytes.withSpan { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
    peer.assumeIsolated { _ = $0.receive(copy) }
  }
}
