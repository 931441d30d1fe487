import TestSamples
import VaultInterface
import Wire

/// What a machine is to do in a round.
struct MachineTurn: Sendable {
  /// A change of a card.
  struct Write: Sendable {
    /// The card, if it is new.
    var created: Identifier?
    /// The title; nil if the card was deleted.
    var title: String?
    /// The title that the machine saw before; nil for a new card.
    var replaced: String?
  }

  /// Whether it synchronises before it writes.
  let isOnline: Bool
  /// The numbers of its changes, among those of all machines.
  let numbers: Range<Int>
  /// What is added to the number of a change for the sample of which a new card is made.
  let firstSample: Int
  /// The cards that were made before the round, as texts.
  let cards: [String]
  var random: SeededGenerator

  /// Returns a card; those that were made early come oftener.
  mutating func anyCard() -> Identifier? {
    let place = random.number(0..<cards.count)
    return Identifier(cards[random.number(0..<place + 1)])
  }
}

extension SimulatedMachine {
  /// Synchronises, writes and publishes, as a machine does soon after a change; without a network it writes first.
  func take(_ turn: MachineTurn) async throws -> [MachineTurn.Write] {
    var turn = turn
    if turn.isOnline { try await synchronize() }
    let writes = try turn.numbers.map { try write($0, &turn) }
    if turn.isOnline { try await publish() } else { try await synchronize() }
    return writes
  }

  private func write(_ number: Int, _ turn: inout MachineTurn) throws -> MachineTurn.Write {
    clock.advance(milliseconds: 1)
    let title = "written \(number)"
    let choice = turn.random.number(0..<100)
    guard choice >= 4, let card = try someCard(&turn) else {
      return MachineTurn.Write(created: try create(turn.firstSample + number, title: title), title: title)
    }
    guard choice >= 7 else {
      try delete(card.id)
      return MachineTurn.Write(replaced: card.title)
    }
    try update(card.id, title: title)
    return MachineTurn.Write(title: title, replaced: card.title)
  }

  private func someCard(_ turn: inout MachineTurn) throws -> Card? {
    for _ in 0..<100 {
      if let id = turn.anyCard(), let card = try card(id) { return card }
    }
    return nil
  }
}
