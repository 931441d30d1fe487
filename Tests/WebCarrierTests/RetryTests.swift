import CarrierProtocol
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
  }

  @Test("What is for good is not repeated")
  func permanent() {
    for error in [CarrierError.refused, .certificate, .noQuota, .offline, .wrongServer, .cancelled] {
      #expect(waits(for: error) == [])
    }
  }

  @Test("An address is one of https, or of this machine")
  func addresses() {
    #expect(WebAddress("https://example.org")?.url("a/b") == "https://example.org:443/a/b")
    #expect(WebAddress("http://127.0.0.1:80/x/")?.path == "/x/")
    for text in [
      "http://example.org/", "http://127.0.0.1.example.org/", "https://a@example.org/",
      "https://example.org/?q",
      "https://example.org/#f", "file:///etc", "", "https://exa mple.org/",
    ] {
      #expect(WebAddress(text) == nil, "\(text)")
    }
    let address = WebAddress("https://example.org/x")
    #expect(address?.isSameOrigin("https://EXAMPLE.org:443/y") == true)
    for text in ["http://example.org/x", "https://example.org:444/x", "https://example.org.evil/x", "/x"] {
      #expect(address?.isSameOrigin(text) == false, "\(text)")
    }
  }
}
