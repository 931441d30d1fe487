import Wire

/// What programs that were not admitted may do to the users of those that were (U): lock the vault, and have consent asked. The counts
/// outlast a lock. Times are in milliseconds of the boot clock.
struct StrangerLimits: Sendable, Hashable {
  /// A lock by a program that was not admitted.
  struct Lock: Sendable, Hashable {
    let scopes: Set<AdmissionScope>
    let time: Int64
  }

  /// How long a lock counts: an hour.
  static let period: Int64 = 3_600_000
  /// The number of locks in this time of one program and what it starts, and of all programs together: whoever hides where a program
  /// comes from counts as many.
  static let (locksOfOne, locksOfAll) = (3, 6)
  /// The number of questions in a row that no user allowed, after which there is a pause, of 30 seconds at first. Each further one
  /// doubles the pause, up to 15 minutes.
  static let freeQuestions = 3
  private static let (shortestPause, longestPause): (Int64, Int64) = (30_000, 900_000)

  private(set) var locks: [Lock] = []
  /// The questions in a row that no user allowed, and the end of the last one.
  private(set) var (questions, lastQuestion): (Int, Int64) = (0, 0)

  /// Notes that a program locks the vault.
  ///
  /// - Parameter scopes: the program, its terminal, and the programs that started it.
  /// - Throws: ``AdmissionError/tooManyLocks(retryAfterSeconds:)``. The vault stays unlocked.
  mutating func noteLock(by scopes: Set<AdmissionScope>, at time: Int64) throws(AdmissionError) {
    locks.removeAll { !(0..<Self.period).contains(time - $0.time) }
    let own = locks.filter { !$0.scopes.isDisjoint(with: scopes) }
    let first =
      own.count >= Self.locksOfOne ? own.first : locks.count >= Self.locksOfAll ? locks.first : nil
    if let first { throw .tooManyLocks(retryAfterSeconds: Self.seconds(first.time + Self.period - time)) }
    locks.append(Lock(scopes: scopes, time: time))
  }

  /// Checks that users may be asked.
  ///
  /// - Throws: ``AdmissionError/askedTooOften(retryAfterSeconds:)``.
  func checkQuestion(at time: Int64) throws(AdmissionError) {
    let left = lastQuestion + pause - time
    // A clock that was set back gives no longer pause.
    if (1...Self.longestPause).contains(left) { throw .askedTooOften(retryAfterSeconds: Self.seconds(left)) }
  }

  private var pause: Int64 {
    guard questions >= Self.freeQuestions else { return 0 }
    return min(Self.shortestPause << Int64(min(questions - Self.freeQuestions, 8)), Self.longestPause)
  }

  /// Notes the end of a question that no user allowed: it was refused, nobody answered it, or it was withdrawn.
  mutating func noteQuestion(at time: Int64) {
    (questions, lastQuestion) = (min(questions, 1_000) + 1, time)
  }

  /// Handles that a user allowed a program to use the vault, or unlocked it.
  mutating func forgetQuestions() {
    questions = 0
  }

  private static func seconds(_ milliseconds: Int64) -> Int { Int((milliseconds + 999) / 1_000) }
}

/// The form for the next process.
extension StrangerLimits {
  var isEmpty: Bool { locks.isEmpty && questions == 0 }

  var json: JSON {
    [
      "locks": .array(
        locks.map { lock in
          ["time": .integer(Int(lock.time)), "scopes": .array(lock.scopes.map { .object([$0.member]) })]
        }),
      "questions": .integer(questions), "lastQuestion": .integer(Int(lastQuestion)),
    ]
  }

  /// - Returns: nil if it is not what ``json`` gives.
  init?(_ value: JSON) {
    guard case .array(let entries)? = value["locks"], let questions = value["questions"]?.integer,
      let last = value["lastQuestion"]?.integer
    else { return nil }
    (self.questions, lastQuestion) = (questions, Int64(last))
    for entry in entries {
      guard let time = entry["time"]?.integer, case .array(let values)? = entry["scopes"] else { return nil }
      let scopes = values.compactMap { AdmissionScope($0) }
      guard scopes.count == values.count else { return nil }
      locks.append(Lock(scopes: Set(scopes), time: Int64(time)))
    }
  }
}
