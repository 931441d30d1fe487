import EventLoop
import JSONRPC
import VaultSession

/// `quickvault-desktop`, running: it speaks D-Bus so that this process need not. It is killed when this is let go of.
///
/// Like the loop it belongs to that thread.
final class DesktopProgram: Sendable {
  /// The conversation with it.
  let peer: Peer
  private let process: WorkerProcess

  /// What leads from the conversation to the process, which holds the conversation.
  private final class Way: @unchecked Sendable {
    weak var process: WorkerProcess?
  }

  /// What of the environment it may know: where the buses are, and which session it is.
  static let environment: Set = [
    "DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "XDG_SESSION_ID",
  ]
  private static let readingLimit = 16 << 10

  /// Starts it.
  ///
  /// - Parameters:
  ///   - heed: takes what it tells.
  ///   - ended: is called when it ends by itself.
  init(
    _ workers: WorkerProcesses, on loop: EventLoop, heed: @escaping @Sendable (IncomingNotification) -> Void,
    ended: @escaping @Sendable () -> Void
  ) throws(WorkerError) {
    let way = Way()
    let peer = Peer(on: loop, write: { Self.write($0, to: way.process) }, heed: heed)
    self.peer = peer
    process = try workers.start(
      "quickvault-desktop",
      environment: WorkerProcesses.environment(Self.environment, prefixes: []),
      .init(
        readable: { Self.read(from: way.process, into: peer) },
        ended: { _ in
          peer.assumeIsolated { $0.end() }
          ended()
        }))
    way.process = process
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
