import CLinux
import Glibc
import Wire

/// Watches the client's process, and stops the connection when it ends.
final class ClientProcessMonitor: Sendable {
  private let loop: EventLoop
  private let descriptor: Int32

  /// Watches a process.
  ///
  /// - Parameter wasSeen: whether the process was there before, so that the connection is stopped at once if it is not. One that
  ///   was never seen may be in another container.
  /// - Returns: nil if there is no such process, or the system cannot watch it.
  init?(_ process: Int, wasSeen: Bool, on loop: EventLoop, of connection: Connection) {
    guard let process = Int32(exactly: process), process > 0 else { return nil }
    descriptor = linux_process_descriptor(process)
    guard descriptor >= 0 else {
      if errno == ESRCH, wasSeen { Task { await connection.stop() } }
      return nil
    }
    self.loop = loop
    loop.watch(descriptor, for: .reading) { connection.assumeIsolated { $0.stop() } }
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
  }
}
