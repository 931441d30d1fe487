import Dispatch
import Synchronization
import Testing

@testable import Vault

@Suite("Calls that may stall")
struct StallableCallsTests {
  private struct Failure: Error {}

  private let calls = StallableCalls()

  @Test("S a call's result and its error reach who waits for it")
  func results() async throws {
    #expect(try calls.run(within: nil) { 1 } == 1)
    #expect(try await calls.run { 2 } == 2)
    #expect(throws: Failure.self) { try calls.run(within: .seconds(60)) { throw Failure() } }
    await #expect(throws: Failure.self) { try await calls.run { throw Failure() } }
  }

  @Test("S a call that was given up goes on, and ends before those that came after it")
  func order() async throws {
    let gate = DispatchSemaphore(value: 0)
    let order = Mutex<[Int]>([])
    #expect(throws: StallableCalls.Stall.self) {
      try calls.run(within: .zero) {
        gate.wait()
        order.withLock { $0.append(1) }
      }
    }
    #expect(throws: StallableCalls.Stall.self) {
      try calls.run(within: .milliseconds(20)) { order.withLock { $0.append(2) } }
    }
    #expect(order.withLock { $0.isEmpty })
    gate.signal()
    try await calls.run { order.withLock { $0.append(3) } }
    #expect(order.withLock { $0 } == [1, 2, 3])
  }

  @Test("S a cancelled task does not wait for a call")
  func cancellation() async throws {
    let gate = DispatchSemaphore(value: 0)
    #expect(throws: StallableCalls.Stall.self) { try calls.run(within: .zero) { gate.wait() } }
    let waiting = [
      Task { try await calls.run {} }, Task.detached { [calls] in try calls.run(within: nil) {} },
    ]
    for task in waiting {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    gate.signal()
    try await calls.run {}
  }
}
