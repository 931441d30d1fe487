import SessionSupport
import TestSamples
import Testing
import VaultCrypto
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  /// Whoever has the vault key can write any card, but not what no vault can store or count further.
  @Suite("A holder of the vault key")
  struct KeyHolderTests {
    /// What such a one publishes.
    enum Poison: CaseIterable {
      case longSettings, manySeen, highCount, highBase, manyWriters

      func segment(of replica: Identifier, _ card: Card, _ vault: any VaultAccess) throws -> Segment {
        var (segment, versions) = (Segment(), CardVersions())
        segment.part = [.begins, .ends]
        switch self {
        case .longSettings: segment.settings = "x=" + String(repeating: "y", count: 1 << 20) + "\n"
        case .manySeen: for _ in 0...Segment.mostSeen { segment.seen[try .random()] = 1 }
        case .highCount: versions.context.insert(Dot(replica: replica, count: UInt64(Int64.max)))
        case .highBase: versions.base = .max
        case .manyWriters:
          for _ in 0..<VersionVector.limit { versions.context.insert(Dot(replica: try .random(), count: 1)) }
        }
        let row = try vault.seal(card).row
        let tag = Identifier.tag(ofRecord: row.sealed)
        versions.dots = [tag: [Dot(replica: replica, count: 1)]]
        segment.families.rows[card.id] = row
        segment.families.histories[card.id] = CardHistory(own: [tag], versions: versions)
        return segment
      }
    }

    private func publish(
      _ machine: Machine, as number: Int64 = 1,
      _ segment: (Identifier, any VaultAccess) throws -> Segment
    ) async throws {
      try await machine.edit { session in
        let (vault, replica) = (try session.access(), try Identifier.random())
        let folder = try SyncFolder(
          UserPath(machine.folder), vault: vault.reader.vault, epoch: vault.reader.epoch,
          calls: FolderCalls(StallableCalls()))
        let segment = try segment(replica, vault)
        let sealed = try vault.reader.seal(.segment, replica, number, segment.encoded())
        try folder.write(sealed, as: number, of: replica, after: segment.previous)
      }
    }

    @Test("S a key holder makes no vault damaged, and stops only its own stream", arguments: Poison.allCases)
    func poison(_ poison: Poison) async throws {
      var machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("kept") }
      try await machines[0].synchronize()
      for _ in 0..<2 {
        try await publish(machines[0]) { replica, vault in
          try poison.segment(of: replica, card.as(Self.id, revision: 1), vault)
        }
      }
      try await machines[1].edit { try $0.note("of another") }
      try await machines[1].synchronize()
      try machines.carry()
      try await machines.join()
      for machine in machines.all {
        let status = try await machine.synchronize()
        #expect(!status.others.compactMap(\.problem).isEmpty)
        #expect(Set(try await machine.titles()).isSuperset(of: ["kept", "of another"]))
        try await machine.edit { session in
          #expect(try await session.verify({ _ in }).integrity == .intact)
          _ = try session.note("later")
        }
      }
    }

    @Test("S a number that nothing can follow is no name of a file")
    func lastNumber() async throws {
      let machines = try await Machines(count: 1)
      try await publish(machines[0], as: .max) { _, _ in
        var segment = Segment()
        segment.part = [.begins, .ends]
        return segment
      }
      #expect(try await machines[0].synchronize().others.isEmpty)
      #expect(SyncFolder.number(SyncFolder.name(ByteReader.highestOrdinal)) == ByteReader.highestOrdinal)
      #expect(SyncFolder.number(SyncFolder.name(ByteReader.highestOrdinal + 1)) == nil)
    }

    private static let id = Identifier(high: 0x1111_2222_3333_4444, low: 0x8111_2222_3333_4444)
  }
}
