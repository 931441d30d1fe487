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
      case longPadding, previousOfFirst, noSnapshot, twins, twinOfAnother, longTitle, copyOfItself, copyAlone
      case deletedCard, publisher, malformedSettings, malformedCard

      func encoded(_ segment: Segment) -> [UInt8] {
        let bytes = segment.encoded()
        return self == .longPadding ? bytes + [UInt8](repeating: 0, count: 4_096 - bytes.count) : bytes
      }

      func segment(of replica: Identifier, _ card: Card, _ vault: OpenVault) throws -> Segment {
        var (segment, versions) = (Segment(), CardVersions())
        segment.part = [.begins, .ends]
        let id = KeyHolderTests.id
        var card = card.as(self == .twinOfAnother ? card.id.twin : id, revision: 1)
        var history = CardHistory()
        switch self {
        case .longSettings: segment.settings = "x=" + String(repeating: "y", count: 1 << 20) + "\n"
        case .manySeen: for _ in 0...Segment.mostSeen { segment.seen[try .random()] = 1 }
        case .highCount: versions.context.insert(Dot(replica: replica, count: UInt64(Int64.max)))
        case .highBase: versions.base = .max
        case .manyWriters:
          for _ in 0..<VersionVector.limit { versions.context.insert(Dot(replica: try .random(), count: 1)) }
        case .previousOfFirst: segment.previous[0] = 1
        case .noSnapshot: segment.part = []
        case .longTitle:
          history.origin = .init(card: id, titleByteCount: 99)
          segment.families.histories[id] = CardHistory(deletedAt: 1, versions: versions)
          card = try card.as(.random(), revision: 1)
        case .copyOfItself: history.origin = .init(card: id, titleByteCount: 0)
        case .copyAlone: history.origin = .init(card: try .random(), titleByteCount: 0)
        case .deletedCard: history.deletedAt = 1
        case .publisher: versions.publish(in: 1)
        case .malformedSettings: segment.settings = "no equals sign"
        case .longPadding, .twins, .twinOfAnother, .malformedCard: break
        }
        var row = try vault.seal(card).row
        if self == .malformedCard { row.sealed = try vault.reader.seal(.card, id, 1, [1, 2, 3]) }
        if history.deletedAt == nil {
          history.own = [Identifier.tag(ofRecord: row.sealed)]
          versions.dots = [history.own[0]: [Dot(replica: replica, count: 1)]]
        }
        history.versions = versions
        for id in self == .twins ? [card.id, card.id.twin] : [card.id] {
          segment.families.rows[id] = try id == card.id ? row : vault.seal(card.as(id, revision: 1)).row
          segment.families.histories[id] = history
        }
        return segment
      }
    }

    private func publish(
      _ machine: Machine, as number: Int64 = 1,
      encoded: (Segment) -> [UInt8] = { $0.encoded() },
      _ segment: (Identifier, OpenVault) throws -> Segment
    ) async throws {
      try await machine.edit { session in
        let (vault, replica) = (try session.unlocked(), try Identifier.random())
        let folder = try SyncFolder(
          UserPath(machine.folder), vault: vault.reader.vault, epoch: vault.reader.epoch,
          calls: FolderCalls(StallableCalls()))
        let segment = try segment(replica, vault)
        let sealed = try vault.reader.seal(.segment, replica, number, encoded(segment))
        try folder.write(sealed, segment, as: number, of: replica)
      }
    }

    @Test("S a key holder makes no vault damaged, and stops only its own stream", arguments: Poison.allCases)
    func poison(_ poison: Poison) async throws {
      var machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("kept") }
      try await machines[0].synchronize()
      for _ in 0..<2 {
        try await publish(machines[0], encoded: poison.encoded) { replica, vault in
          try poison.segment(of: replica, card, vault)
        }
      }
      try await machines[1].edit { try $0.note("of another") }
      try await machines[1].synchronize()
      try machines.carry()
      try await machines.join()
      // Of two cards with one number, a vault has the one that it reads first: only the first machine is sure to have the other.
      for machine in poison == .twinOfAnother ? [machines[0]] : machines.all {
        let status = try await machine.synchronize()
        #expect(status.others.compactMap(\.problem) == [.unreadable(1), .unreadable(1)])
        #expect(Set(try await machine.titles()).isSuperset(of: ["kept", "of another"]))
        try await machine.edit { session in
          #expect(try await session.verify({ _ in }).integrity == .intact)
          _ = try session.note("later")
        }
      }
    }

    @Test("S a card with the most writers that it may get from others can be changed and deleted")
    func mostWriters() async throws {
      let machines = try await Machines(count: 1)
      let card = try await machines[0].edit { try $0.note("kept") }
      try await publish(machines[0]) { replica, vault in
        var segment = try Poison.manyWriters.segment(of: replica, card, vault)
        var versions = CardVersions()
        for _ in 0..<VersionVector.sharedLimit {
          versions.context.insert(Dot(replica: try .random(), count: 1))
        }
        segment.families.histories[Self.id]?.versions?.context = versions.context
        return segment
      }
      try await machines[0].edit { session in
        #expect(try await session.synchronize().others.compactMap(\.problem) == [])
        _ = try session.updateCard(Self.id, revision: nil, CardChange(title: "changed"))
        try session.deleteCard(Self.id, revision: nil)
        #expect(try await session.synchronize().others.compactMap(\.problem) == [])
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

    fileprivate static let id = Identifier(high: 0x1111_2222_3333_4444, low: 0x8111_2222_3333_4444)
  }
}

extension Identifier {
  /// Another identifier with the same first 8 bytes, which is the number of a row.
  fileprivate var twin: Identifier { Identifier(high: high, low: low ^ 1) }
}
