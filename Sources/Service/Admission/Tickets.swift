import Wire

/// The tickets of `client/ticket` (U): an admitted program passes one to the program that it starts, which presents it when it
/// connects. They are only in the memory of this process, which a lock replaces.
struct Tickets {
  /// How long a ticket can be used, in milliseconds: ten seconds.
  static let duration: Int64 = 10_000
  /// The maximum number of unused tickets. Another one takes the place of the oldest.
  static let limit = 64
  /// The number of wrong tickets after which all unused ones are void.
  static let wrongLimit = 16

  private struct Ticket {
    let bytes: [UInt8]
    let giver: AdmissionScope
    let time: Int64
  }

  private var unused: [Ticket] = []
  /// The wrong tickets that were presented while there were unused ones.
  private var wrongCount = 0

  /// Makes a ticket of 256 random bits (getrandom(2)), in hexadecimal digits.
  ///
  /// - Parameters:
  ///   - giver: the program that gets it for another.
  ///   - time: in milliseconds of the boot clock.
  mutating func make(for giver: AdmissionScope, at time: Int64) -> String {
    dropExpired(at: time)
    if unused.count == Self.limit { unused.removeFirst() }
    var generator = SystemRandomNumberGenerator()
    let text = (0..<32).map { _ in generator.next() as UInt8 }.hexadecimal
    unused.append(Ticket(bytes: Array(text.utf8), giver: giver, time: time))
    return text
  }

  /// Uses up a ticket.
  ///
  /// - Returns: the program that got it; nil if it is wrong, used or too old.
  mutating func use(_ text: String, at time: Int64) -> AdmissionScope? {
    dropExpired(at: time)
    let bytes = Array(text.utf8)
    guard let index = unused.firstIndex(where: { Self.areEqual($0.bytes, bytes) }) else {
      wrongCount += 1
      if wrongCount >= Self.wrongLimit { unused = [] }
      return nil
    }
    return unused.remove(at: index).giver
  }

  /// Makes the unused tickets of a program void.
  mutating func drop(of giver: AdmissionScope) {
    unused.removeAll { $0.giver == giver }
  }

  private mutating func dropExpired(at time: Int64) {
    unused.removeAll { !(0..<Self.duration).contains(time - $0.time) }
    if unused.isEmpty { wrongCount = 0 }
  }

  /// Compares in a time that does not depend on where two tickets differ.
  private static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
