import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultCrypto
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("The order in which streams are read")
  struct ReadingOrderTests {
    /// All orders of a few streams; of many, each of them first, forwards and backwards.
    private static func orders(_ count: Int) -> [[Int]] {
      guard count > 0 else { return [[]] }
      guard count < 4 else {
        let forwards = (0..<count).map { first in (0..<count).map { (first + $0) % count } }
        return forwards + forwards.prefix(2).map { $0.reversed() }
      }
      return orders(count - 1).flatMap { order in
        (0..<count).map { Array(order[..<$0]) + [count - 1] + Array(order[$0...]) }
      }
    }

    /// Lets a new machine read the streams of a folder one after the other, and returns what it has then.
    private func contents(
      _ machines: Machines, of streams: [String], in order: [Int], _ name: String
    ) async throws -> [String] {
      let (source, files) = (machines[0], try machines.files(of: machines[0]))
      let new = try Machine(name, in: machines.directory)
      for file in files where !file.contains("/changes/") { try machines.copy(file, from: source, to: [new]) }
      let session = new.vault.session()
      _ = try await session.joinSync(UserPath(new.folder), password: TestVault.password, machine: "new")
      session.lock(.request)
      for index in order {
        for file in files where file.contains("/changes/\(streams[index])/") {
          try machines.copy(file, from: source, to: [new])
        }
        try await new.synchronize()
      }
      return try await new.contents()
    }

    private func expectSame(_ machines: Machines, _ streams: [String], _ comment: Comment) async throws {
      var first: [String]?
      for order in Self.orders(streams.count) {
        let found = try await contents(machines, of: streams, in: order, "\(comment) \(order)")
        #expect(found == first ?? found, "\(comment) \(order)")
        first = first ?? found
      }
    }

    @Test("S streams of several machines make the same cards in whatever order they are read")
    func histories() async throws {
      for seed in 100..<102 {
        let machines = try await RandomHistory(seed: UInt64(seed)).run()
        let streams = try Set(
          machines.files(of: machines[0]).filter { $0.contains("/changes/") }
            .map { String($0.split(separator: "/")[3]) }
        ).sorted()
        try await expectSame(machines, streams, "seed \(seed)")
      }
    }

    /// Publishes a card as the only one of a stream.
    private func publish(_ card: Card, _ history: (UInt64, Identifier) -> CardHistory, _ machine: Machine)
      async throws -> (stream: String, tag: UInt64)
    {
      try await machine.edit { session in
        let (vault, replica) = (try session.unlocked(), try Identifier.random())
        let row = try vault.seal(card).row
        let tag = Identifier.tag(ofRecord: row.sealed)
        var segment = Segment()
        segment.part = [.begins, .ends]
        segment.families.rows[card.id] = row
        segment.families.histories[card.id] = history(tag, replica)
        let sealed = try vault.reader.seal(.segment, replica, 1, segment.encoded())
        try session.syncFolder().folder.write(sealed, segment, as: 1, of: replica)
        return (replica.description, tag)
      }
    }

    private static func history(_ tag: UInt64, _ replica: Identifier, seen: [UInt64] = []) -> CardHistory {
      var versions = CardVersions()
      let dot = Dot(replica: replica, count: 1)
      versions.context.insert(dot)
      versions.dots = [tag: [dot]]
      return CardHistory(own: [tag], replaced: seen, versions: versions)
    }

    @Test("S a changed conflict copy replaces its content, whichever of them is read first")
    func changedCopy() async throws {
      let machines = try await Machines(count: 1)
      let (one, vault) = try await machines[0].edit { session in
        let card = try session.note("content").as(.random(), revision: 1)
        return (card, try session.unlocked().reader.vault)
      }
      let content = try await publish(one, { Self.history($0, $1) }, machines[0])
      let other = try await publish(one, { Self.history($0, $1) }, machines[0])
      let copy = one.as(try Identifier(copyOf: one.id, tag: content.tag, in: vault), revision: 1)
      let changed = try await publish(
        copy, { Self.history($0, $1, seen: [content.tag]) }, machines[0])
      try await expectSame(machines, [content.stream, changed.stream], "two")
      try await expectSame(machines, [content.stream, changed.stream, other.stream], "three")
    }
  }
}
