package import HelperProtocols

/// Cancels work early: a signal, or the caller.
package protocol CancellationSource: AnyObject {
  /// Is asked about once in a second, and as bytes move.
  func isCancelled() -> Bool

  /// Waits, or throws ``CarrierError/cancelled``.
  func wait(_ seconds: Int) throws(CarrierError)
}

/// How requests of one piece of work are made, and what ends them.
package struct WebEnvironment {
  /// A file with certificates of authorities (PEM), in place of those of the system.
  package let authorities: String?
  let timeouts: HTTPTimeouts
  package let cancellation: any CancellationSource

  /// - Parameter stall: how long a server may do nothing, in seconds.
  package init(authorities: String?, stall: Int = 30, cancellation: any CancellationSource) {
    (self.authorities, timeouts) = (authorities, HTTPTimeouts(stall: stall))
    self.cancellation = cancellation
  }

  /// Repeats what may succeed in a moment.
  var retry: Retry {
    Retry(attempts: 4) { (seconds) throws(CarrierError) in try cancellation.wait(seconds) }
  }

  func client(_ address: WebAddress, _ credentials: Credentials?) throws(CarrierError) -> HTTPClient {
    try HTTPClient(address, credentials, self)
  }
}
