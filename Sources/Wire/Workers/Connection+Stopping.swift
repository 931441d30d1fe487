import CLinux
import Glibc

extension Connection {
  /// Stops the connection on a signal that ends the process.
  ///
  /// - Throws: `SystemError` if signals cannot be received.
  package nonisolated func stopOnSignal(on loop: EventLoop) throws(SystemError) {
    let descriptor = linux_signal_descriptor()
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    loop.watch(descriptor, for: .reading) {
      while linux_next_signal(descriptor) != 0 { self.assumeIsolated { $0.stop() } }
    }
  }

  /// Stops the connection as soon as standard input is closed, even during a request: nobody is there to read the answer.
  ///
  /// - Parameter mayStop: is called before; false lets the request that runs go on.
  /// - Throws: `SystemError` if there is no descriptor left to watch it.
  package nonisolated func stopOnHangup(
    on loop: EventLoop, mayStop: @escaping @Sendable () -> Bool = { true }
  ) throws(SystemError) {
    let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw SystemError("fcntl") }
    loop.watch(descriptor, for: .hangingUp) {
      loop.unwatch(descriptor)
      if mayStop() { self.assumeIsolated { $0.stop() } }
    }
  }
}
