package import HelperProtocols

/// Retries requests after transient errors.
package struct Retry {
  private let attempts: Int
  private let wait: (_ seconds: Int) throws(CarrierError) -> Void

  /// - Parameters:
  ///   - attempts: how often a request is made at most.
  ///   - wait: waits, or throws ``CarrierError/cancelled``.
  package init(attempts: Int, wait: @escaping (_ seconds: Int) throws(CarrierError) -> Void) {
    (self.attempts, self.wait) = (attempts, wait)
  }

  /// The same without repetitions.
  var once: Retry { Retry(attempts: 1, wait: wait) }

  /// The longest time to wait for a server that asks for it, in seconds.
  private static let longest = 60

  /// Runs `body` until it succeeds, with 1, 2, 4 … seconds between, or as many as the server asks for.
  ///
  /// - Throws: what `body` threw last, or at once if it was for good or the server asks for more than a minute.
  package func run<Result>(_ body: () throws(CarrierError) -> Result) throws(CarrierError) -> Result {
    for attempt in 1..<max(attempts, 1) {
      do {
        return try body()
      } catch {
        guard error.isTransient else { throw error }
        var seconds = 1 << min(attempt - 1, 5)
        if case .rateLimited(let after?) = error { seconds = max(seconds, after) }
        guard seconds <= Self.longest else { throw error }
        try wait(seconds)
      }
    }
    return try body()
  }
}
