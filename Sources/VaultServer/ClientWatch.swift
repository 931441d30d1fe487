import EventLoop
import CLinux
import Glibc

/// Watches the client's process, and calls an action when it is gone.
final class ClientWatch: Sendable {
  private let loop: EventLoop
  private let descriptor: Int32

  /// Watches a process.
  ///
  /// - Returns: nil where there is no such process, or the system cannot watch it.
  init?(_ process: Int, on loop: EventLoop, _ action: @escaping @Sendable () -> Void) {
    guard let process = Int32(exactly: process), process > 0 else { return nil }
    descriptor = linux_process_descriptor(process)
    guard descriptor >= 0 else { return nil }
    self.loop = loop
    loop.watch(descriptor, for: .reading, action)
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
  }
}

extension Conversation {
  /// Ends the conversation when the client's process is gone, at once where it is gone already.
  func watchClient() {
    guard let clientProcess else { return }
    let connection = connection
    clientWatch = ClientWatch(clientProcess, on: loop) { connection?.assumeIsolated { $0.stop() } }
    if clientWatch == nil, errno == ESRCH { Task { await connection?.stop() } }
  }
}
