import Synchronization
import Vault
import VaultInterface

/// Limits how often a repeated error is logged, for example from a client that sends the same wrong request in a loop.
///
/// In each second the first hundred are written one by one. Later ones are counted, and the count is written when it reaches a
/// thousand, ten thousand and so on, and when the second is over and another error occurs or the program ends.
final class ErrorRateLimiter: Sendable {
  /// A line to write.
  struct Line {
    let time: Timestamp
    let text: String
  }

  private struct Occurrences {
    var count = 0
    /// The count that was written last.
    var written = 0
    var last = Timestamp(milliseconds: 0)
  }

  private struct State {
    /// When the second began, in milliseconds of the boot clock.
    var start: Int64 = 0
    /// By text.
    var errors: [String: Occurrences] = [:]

    /// The counts that were not written.
    mutating func finish() -> [Line] {
      defer { errors.removeAll(keepingCapacity: true) }
      return errors.filter { $0.value.count > $0.value.written }.map { text, occurrences in
        Line(time: occurrences.last, text: ErrorRateLimiter.text(text, occurrences.count))
      }
    }
  }

  /// The errors of a kind that are written one by one in a second.
  private static let singleLines = 100
  private let clock: any Clock
  private let state = Mutex(State())

  init(clock: any Clock) {
    self.clock = clock
  }

  /// Notes that an error occurred, and returns the lines to write.
  func add(_ text: String) -> [Line] {
    let (wall, boot) = (Timestamp(milliseconds: clock.wall), clock.boot)
    return state.withLock { state in
      var lines: [Line] = []
      if !(0..<1_000).contains(boot &- state.start) {
        lines = state.finish()
        state.start = boot
      }
      var error = state.errors.removeValue(forKey: text) ?? Occurrences()
      error.count += 1
      error.last = wall
      if error.count <= Self.singleLines {
        error.written = error.count
        lines.append(Line(time: wall, text: text))
      } else if error.count >= error.written * 10 {
        error.written = error.count
        lines.append(Line(time: wall, text: Self.text(text, error.count)))
      }
      state.errors[text] = error
      return lines
    }
  }

  /// Returns the lines of the counts that were not written.
  func finish() -> [Line] {
    state.withLock { $0.finish() }
  }

  private static func text(_ text: String, _ count: Int) -> String {
    "\(text), \(count) times within a second"
  }
}
