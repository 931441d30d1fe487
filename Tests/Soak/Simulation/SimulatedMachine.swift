import Foundation
import TestSamples
import Vault
import VaultInterface
import Wire

/// A machine with a vault, which stays unlocked while the machine is there.
actor SimulatedMachine {
  static let password = "correct horse 电池"

  let name: String
  let path: String
  /// In how many of a hundred rounds it is there.
  let presence: Int
  /// The last rounds, in which it is not there.
  let absence: Int
  private var session: VaultSession
  let clock: SimulatedClock

  init(_ name: String, in directory: String, presence: Int, absence: Int, clock: SimulatedClock) {
    (self.name, self.presence, self.absence, self.clock) = (name, presence, absence, clock)
    path = "\(directory)/\(name).quickvault"
    session = VaultSession(path: path, clock: clock)
  }

  func create() async throws {
    try await session.create(password: Self.password, keyDerivation: .pbkdf2(iterations: 100_000))
  }

  func lock() { session.lock(.request) }

  func unlock() async throws {
    session = VaultSession(path: path, clock: clock)
    try await session.unlock(password: Self.password)
  }

  func enableSync(_ folder: String) async throws {
    _ = try await session.enableSync(UserPath(folder), machine: name)
  }

  func disableSync() throws { try session.disableSync() }

  func join(_ folder: String) async throws {
    _ = try await session.joinSync(UserPath(folder), password: Self.password, machine: name)
  }

  @discardableResult func synchronize() async throws -> SyncStatus { try await session.synchronize() }

  /// Publishes what was written.
  func publish() async throws { try await session.publishChanges() }

  func isIntact() async throws -> Bool { try await session.verify({ _ in }).integrity == .intact }

  /// Adds a card.
  func create(_ number: Int, title: String? = nil) throws -> Identifier {
    let sample = SampleCard(number: number)
    guard let group = CardGroup(rawValue: sample.group), let type = CardType(rawValue: sample.type) else {
      throw SimulationError("a sample card of an unknown group or type")
    }
    let fields = Dictionary(sample.fields.map { ($0.key, $0.value) }) { $1 }
    return try session.createCard(
      CardDraft(
        title: title ?? sample.title, group: group, type: type, fields: fields, tags: sample.tags,
        pinned: sample.isPinned)
    ).card.id
  }

  /// Returns a card; nil if this machine does not have it, or does not have it any more.
  func card(_ id: Identifier) throws -> Card? {
    do { return try session.card(id) } catch VaultError.cardNotFound { return nil }
  }

  func update(_ id: Identifier, title: String) throws {
    _ = try session.updateCard(id, revision: nil, CardChange(title: title))
  }

  func delete(_ id: Identifier) throws { try session.deleteCard(id, revision: nil) }

  /// Everything that a person has in the vault.
  func cards() throws -> [Card] {
    var cards: [Card] = []
    var cursor: String?
    repeat {
      let page = try session.cards(CardFilter(), limit: 500, cursor: cursor)
      cards += try page.items.map { try session.card($0.id) }
      cursor = page.nextCursor
    } while cursor != nil
    return cards.sorted { $0.id < $1.id }
  }

  /// Returns the sizes of the newest snapshot and of the segments after it, in bytes, as the replica counts them.
  func publishedSizes() throws -> (replica: Identifier, snapshot: Int, tail: Int) {
    let vault = try session.unlocked()
    guard let document = try vault.reading({ try vault.syncDocument($0) }) else {
      throw SimulationError("\(name) does not synchronise")
    }
    let sizes = ["own.snapshotSize", "own.tailSize"].map { document.values[$0].flatMap { Int($0) } ?? 0 }
    return (document.replica, sizes[0], sizes[1])
  }
}

/// A simulation that cannot go on, or found something wrong.
struct SimulationError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
