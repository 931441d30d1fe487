import HelperProtocols
import Testing

@testable import Service

@Suite("Pauses between passes over the folder") struct PassPausesTests {
  /// The minutes after each of a number of results.
  private func minutes(_ results: [Result<PassResult, any Error>]) -> [Int64] {
    var pauses = PassPauses()
    return results.map { result in
      pauses.note(result, at: 0)
      return pauses.pause(at: 0) / 60_000
    }
  }

  @Test("They grow while nothing changes, and begin again with a change")
  func idle() {
    let results = [PassResult](repeating: PassResult(isIdle: true), count: 14) + [PassResult()]
    #expect(minutes(results.map { .success($0) }) == [Int64](repeating: 1, count: 10) + [2, 4, 5, 5, 1])
  }

  @Test("After failures they double, up to a quarter of an hour")
  func failures() {
    let failure: Result<PassResult, any Error> = .failure(CarrierError.unreachable)
    #expect(minutes([failure, failure, failure, failure, failure, failure]) == [1, 2, 4, 8, 15, 15])
    let partial = PassResult(error: ErrorDescriptor(CarrierError.tooLarge(1_500_000)))
    #expect(minutes([.success(partial), failure, .success(PassResult())]) == [5, 1, 1])
  }

  @Test("A server that limits requests is left alone as long as it says, or for long if it does not")
  func limits() {
    func limit(_ seconds: Int?) -> Result<PassResult, any Error> {
      .failure(CarrierError.rateLimited(retryAfter: seconds))
    }
    #expect(minutes([limit(1_800), limit(nil), limit(nil)]) == [30, 8, 15])
    #expect(minutes([limit(.max)]) == [24 * 60])
    var pauses = PassPauses()
    pauses.note(limit(100), at: 5_000)
    #expect(pauses.isBlocked(at: 104_999) && !pauses.isBlocked(at: 105_000))
    pauses.forgetFailures()
    #expect(pauses.isBlocked(at: 104_999) && pauses.failures == 0)
  }
}
