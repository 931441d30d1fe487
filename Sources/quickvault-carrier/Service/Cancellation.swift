import CLinux
import Glibc
import HelperProtocols
import Synchronization
import WebCarrier
import Wire

/// Ends the work of another thread.
final class Cancellation: CancellationSource, Sendable {
  private let isSet = Mutex(false)
  private let descriptor: Int32

  init() throws(SystemError) {
    descriptor = linux_eventfd()
    guard descriptor >= 0 else { throw SystemError("eventfd") }
  }

  deinit {
    close(descriptor)
  }

  func cancel() {
    isSet.withLock { $0 = true }
    var one: UInt64 = 1
    _ = unsafe write(descriptor, &one, 8)
  }

  func isCancelled() -> Bool { isSet.withLock { $0 } }

  /// Waits, or throws ``CarrierError/cancelled``.
  func wait(_ seconds: Int) throws(CarrierError) {
    var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&query, 1, Int32(clamping: seconds * 1_000))
    if isCancelled() { throw .cancelled }
  }
}
