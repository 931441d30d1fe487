import Foundation
import TestSamples
import Wire

/// What a simulation knows beside its vaults and the folder, so that another process can go on with it.
struct SimulationState: Codable {
  /// The rounds that are over.
  var rounds = 0
  var changes = 0
  var random: SeededGenerator
  var written = WrittenTitles()
  /// The time since the beginning on the clock of the machines, in milliseconds.
  var time: Int64 = 0
  /// How long the processes have worked so far.
  var seconds = 0.0
  /// The cards that were made, as texts.
  private var cards: [String] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private static func file(in directory: String) -> URL { URL(filePath: directory + "/state.json") }

  /// Returns what a process left in a directory; nil if nothing was begun there.
  static func load(from directory: String) throws -> SimulationState? {
    let file = file(in: directory)
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try JSONDecoder().decode(SimulationState.self, from: Data(contentsOf: file))
  }

  func save(in directory: String) throws {
    try JSONEncoder().encode(self).write(to: Self.file(in: directory))
  }

  mutating func append(_ card: Identifier) { cards.append(card.description) }

  /// Returns what a machine is to do in the next round.
  ///
  /// - Parameters:
  ///   - numbers: of its changes, from 0 for the first of the round.
  ///   - cards: how many there were before the first change.
  mutating func turn(isOnline: Bool, numbers: Range<Int>, cards count: Int) -> MachineTurn {
    MachineTurn(
      isOnline: isOnline, numbers: changes + 1 + numbers.lowerBound..<changes + 1 + numbers.upperBound,
      firstSample: count, cards: cards, random: SeededGenerator(seed: random.next()))
  }

  /// Notes everything that was written in a round, in any order: no title is written twice.
  mutating func note(_ writes: [MachineTurn.Write]) {
    changes += writes.count
    for write in writes {
      if let card = write.created { append(card) }
      if let title = write.title { written.add(title) }
    }
    for write in writes {
      if let replaced = write.replaced { written.remove(replaced) }
    }
  }
}

/// The titles that were written. What nobody replaced must be there in the end.
struct WrittenTitles: Codable {
  private var present: Set<String> = []

  mutating func add(_ title: String) { present.insert(title) }

  mutating func remove(_ title: String) { present.remove(Self.plain(title)) }

  func missing(in titles: [String]) -> Int { present.subtracting(titles.map(Self.plain)).count }

  /// Returns a title without the notes of conflict copies.
  static func plain(_ title: String) -> String {
    title.replacingOccurrences(of: " (conflict copy)", with: "")
  }
}
