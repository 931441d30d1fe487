import CLinux
import Glibc
import HelperProtocols
import WebCarrier

/// SIGINT, SIGTERM and SIGHUP, which cancel what is under way.
final class Signals: CancellationSource {
  private let descriptor = linux_signal_descriptor()
  private var hasArrived = false

  /// Returns whether a signal has arrived.
  func isCancelled() -> Bool {
    if !hasArrived { hasArrived = linux_next_signal(descriptor) != 0 }
    return hasArrived
  }

  /// Waits until a descriptor can be read, or throws ``CarrierError/cancelled`` when a signal arrives.
  func waitForInput(_ input: Int32) throws(CarrierError) {
    var queries = [input, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    _ = unsafe poll(&queries, nfds_t(queries.count), -1)
    if isCancelled() { throw .cancelled }
  }

  /// Waits, or throws ``CarrierError/cancelled`` when a signal arrives.
  func wait(_ seconds: Int) throws(CarrierError) {
    var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&query, 1, Int32(clamping: seconds * 1_000))
    if isCancelled() { throw .cancelled }
  }
}
