import SessionSupport
import Testing

@testable import Vault

extension SessionTests {
  @Suite("Lockout")
  struct LockoutTests {
    let clock = TestClock()

    /// The state after so many wrong passwords in a row, each tried when the wait of the one before is over.
    private func state(after attempts: Int) -> Lockout {
      var state = Lockout.none
      for _ in 0..<attempts {
        clock.advance(seconds: Int64(state.remainingSeconds(at: clock)))
        state = state.countingAttempt(at: clock)
      }
      return state
    }

    @Test("R11 three wrong passwords start a wait of 30 seconds, doubled by three more, up to 15 minutes")
    func doubling() {
      var waits: [Int] = []
      var left: [Int] = []
      var state = Lockout.none
      for _ in 0..<27 {
        clock.advance(seconds: Int64(state.remainingSeconds(at: clock)))
        state = state.countingAttempt(at: clock)
        waits.append(state.remainingSeconds(at: clock))
        left.append(state.attemptsLeft)
      }
      let expected = [30, 60, 120, 240, 480, 900, 900, 900, 900].flatMap { [0, 0, $0] }
      #expect(waits == expected)
      #expect(left == Array(repeating: [2, 1, 0], count: 9).flatMap { $0 })
      #expect(state.failedAttempts == 27)
    }

    @Test("R11 setting the wall clock does not shorten the wait; setting it back restarts it at most once")
    func wallClock() {
      var state = state(after: 3)
      for change: Int64 in [86_400_000, -10 * 86_400_000, Int64(1) << 50, -(Int64(1) << 51)] {
        clock.setWall(by: change)
        #expect(state.remainingSeconds(at: clock) == 30)
      }
      clock.advance(seconds: 29)
      state = state.clampedStart(at: clock)
      #expect(state.remainingSeconds(at: clock) == 30)
      clock.advance(seconds: 29)
      #expect(state.clampedStart(at: clock) == state)
      #expect(state.remainingSeconds(at: clock) == 1)
      clock.advance(seconds: 1)
      #expect(state.remaining(at: clock) == 0)
    }

    @Test("R11 neither another boot clock nor another boot ID shortens the wait", arguments: [false, true])
    func bootClock(isOtherBoot: Bool) {
      let state = state(after: 3)
      if isOtherBoot { clock.restart(boot: 86_400_000) } else { clock.setBoot(by: 86_400_000) }
      #expect(state.remainingSeconds(at: clock) == 30)
      clock.advance(seconds: 29)
      #expect(state.remainingSeconds(at: clock) == 1)
      clock.advance(seconds: 1)
      #expect(state.remaining(at: clock) == 0)
    }

    @Test("R11 a restart of the machine does not shorten the wait, and the time after it counts")
    func restart() {
      let state = state(after: 3)
      clock.advance(seconds: 10)
      clock.restart(boot: 4_000)
      #expect(state.remainingSeconds(at: clock) == 26)
      clock.advance(seconds: 25)
      #expect(state.remainingSeconds(at: clock) == 1)
      clock.restart()
      #expect(state.remainingSeconds(at: clock) == 30)
      clock.advance(seconds: 30)
      #expect(state.remaining(at: clock) == 0)
    }

    @Test("R11 the remaining wait is rounded up to seconds")
    func rounding() {
      let state = Lockout(
        failedAttempts: 3, wait: 30_000, startedBoot: clock.boot - 29_999, startedWall: 0,
        bootIdentifier: clock.bootIdentifier)
      #expect(state.remaining(at: clock) == 1)
      #expect(state.remainingSeconds(at: clock) == 1)
    }

    @Test(
      "R11 forged numbers neither trap nor make a wait longer than the maximum",
      arguments: [Int64.min, -1, 0, 1, Int64.max])
    func hostile(number: Int64) {
      for other in [Int64.min, -1, 0, Int64.max] {
        for boot in [clock.bootIdentifier, "", "another"] {
          let state = Lockout(
            failedAttempts: Int(number), wait: other, startedBoot: number, startedWall: other,
            bootIdentifier: boot)
          #expect((0...900_000).contains(state.remaining(at: clock)))
          #expect((0...900).contains(state.remainingSeconds(at: clock)))
          #expect((0...3).contains(state.attemptsLeft))
          let next = state.countingAttempt(at: clock)
          #expect(next.failedAttempts > 0)
          #expect((0...900_000).contains(next.remaining(at: clock)))
        }
      }
    }
  }
}
