import HelperProtocols
import Testing
import WebCarrier

@Suite("Repeated requests") struct RetryTests {
  /// The seconds between attempts that all fail with an error.
  private func waits(for failure: CarrierError, attempts: Int = 5) -> [Int] {
    var waits: [Int] = []
    let retry = Retry(attempts: attempts) { (seconds) throws(CarrierError) in waits.append(seconds) }
    #expect(throws: failure) { try retry.run { () throws(CarrierError) in throw failure } }
    return waits
  }

  @Test("What may succeed in a moment is repeated, after longer and longer waits")
  func backoff() {
    #expect(waits(for: .timedOut) == [1, 2, 4, 8])
    #expect(waits(for: .serverFailed(502), attempts: 9) == [1, 2, 4, 8, 16, 32, 32, 32])
    #expect(waits(for: .interrupted, attempts: 1) == [])
  }

  @Test("A server's wish to wait is respected up to a minute")
  func retryAfter() {
    #expect(waits(for: .rateLimited(retryAfter: 7)) == [7, 7, 7, 8])
    #expect(waits(for: .rateLimited(retryAfter: 61)) == [])
    #expect(waits(for: .rateLimited(retryAfter: .max)) == [])
    // A limit that lasts nobody knows how long
    #expect(waits(for: .rateLimited(retryAfter: nil)) == [])
  }

  @Test("What is for good is not repeated")
  func permanent() {
    for error in [CarrierError.refused, .certificate, .noQuota, .offline, .wrongServer, .cancelled] {
      #expect(waits(for: error) == [])
    }
  }
}
