import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultCrypto
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("Snapshots behind what is missing")
  struct SnapshotTests {
    /// A stream of seven segments with a card each. The first and the sixth are whole snapshots.
    private struct Stream {
      let replica: Identifier
      let directory: String
      let files: [Int64: [UInt8]]

      init(_ machine: Machine, whole: Set<Int64> = [1, 6]) async throws {
        let id = try Identifier.random()
        (directory, files) = try await machine.edit { session in
          let vault = try session.unlocked()
          let reader = vault.reader
          var (files, all, hash) = ([Int64: [UInt8]](), CardFamilies(), [UInt8](repeating: 0, count: 32))
          for number in Int64(1)...7 {
            let card = try session.note("card \(number)")
            try session.deleteCard(card.id, revision: nil)
            let row = try vault.seal(card.as(.random(), revision: 1)).row
            let tag = Identifier.tag(ofRecord: row.sealed)
            var versions = CardVersions()
            versions.context.insert(Dot(replica: id, count: 1))
            versions.dots = [tag: [Dot(replica: id, count: 1)]]
            var one = CardFamilies()
            one.rows[row.id] = row
            one.histories[row.id] = CardHistory(own: [tag], versions: versions)
            all.add(one)
            var segment = Segment()
            segment.previous = hash
            (segment.part, segment.families) = whole.contains(number) ? ([.begins, .ends], all) : ([], one)
            let sealed = try reader.seal(.segment, id, number, segment.encoded())
            (files[number], hash) = (sealed, try SHA256.hash(of: sealed))
          }
          return try ("\(reader.vault)/\(reader.epoch)/changes/\(id)", files)
        }
        replica = id
      }

      /// Leaves these segments in a machine's folder, some of them damaged.
      func lay(_ numbers: [Int64], damaged: [Int64], in machine: Machine) throws {
        let path = "\(machine.folder)/\(directory)"
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for number in numbers {
          var bytes = try #require(files[number])
          if damaged.contains(number) { bytes[40] ^= 1 }
          try Data(bytes).write(to: URL(filePath: "\(path)/\(SyncFolder.name(number))"))
        }
      }
    }

    private static let layouts: [(numbers: [Int64], damaged: [Int64])] = [
      ([6, 7], []), ([5, 6, 7], []), ([3, 6, 7], []), ([1, 2, 6, 7], []), ([1, 2, 4, 6, 7], []),
      (Array(1...7), [3]), (Array(1...7), [1]), ([5, 6, 7], [5]), ([1, 2, 4, 6, 7], [4]),
    ]

    @Test("S nothing that lies before a whole snapshot hides it", arguments: layouts)
    func hidden(numbers: [Int64], damaged: [Int64]) async throws {
      let machines = try await Machines(count: 1)
      let stream = try await Stream(machines[0])
      let expected = (1...7).map { "card \($0)" }
      try stream.lay([1, 2], damaged: [], in: machines[0])
      for _ in 0..<2 {
        let new = try Machine("new \(try Identifier.random())", in: machines.directory)
        try await join(new, machines[0])
        try stream.lay(numbers, damaged: damaged, in: new)
        let status = try await new.synchronize()
        #expect(status.others.first { $0.id == stream.replica }?.problem == nil)
        #expect(try await new.titles() == expected)
        // Another machine that joins has read nothing before.
        try stream.lay(numbers, damaged: damaged, in: machines[0])
      }
    }

    @Test("S a stream without another whole snapshot waits, and what is missing is named")
    func waiting() async throws {
      let machines = try await Machines(count: 1)
      let stream = try await Stream(machines[0], whole: [1])
      try stream.lay([1, 2, 4, 5], damaged: [], in: machines[0])
      #expect(try await machines[0].synchronize().others.map(\.problem) == [.missing(3)])
      #expect(try await machines[0].titles() == ["card 1", "card 2"])
      try stream.lay([1, 2, 3, 4, 5], damaged: [], in: machines[0])
      #expect(try await machines[0].synchronize().others.map(\.problem) == [nil])
    }

    private func join(_ machine: Machine, _ other: Machine) async throws {
      try FileManager.default.removeItem(atPath: machine.folder)
      try FileManager.default.copyItem(atPath: other.folder, toPath: machine.folder)
      let session = machine.vault.session()
      _ = try await session.joinSync(
        UserPath(machine.folder), password: TestVault.password, machine: "new")
      session.lock(.request)
    }

    @Test("S a machine that was interrupted in the midst of a snapshot makes a whole one")
    func interrupted() async throws {
      var machines = try await Machines(count: 1)
      try await machines[0].edit { try $0.note("card") }
      try await machines[0].synchronize()
      try await machines[0].edit { session in
        let vault = try session.unlocked()
        let document = try #require(try vault.reading { try vault.syncDocument($0) })
        var segment = Segment()
        (segment.part, segment.previous) = (.begins, document.own.hash)
        let next = document.own.sequence + 1
        let folder = try session.syncFolder().folder
        try folder.write(
          vault.reader.seal(.segment, document.replica, next, segment.encoded()), segment, as: next,
          of: document.replica)
        // A change is published with what the process had not noted.
        try session.note("later")
        try await session.synchronize()
      }
      try await machines.join()
      #expect(try await machines[1].synchronize().others.map(\.problem) == [nil])
      #expect(try await machines[1].titles() == ["card", "later"])
    }

    @Test("S a machine of which only the key file has come is named, and goes on when the rest comes")
    func keyFileOnly() async throws {
      let machines = try await Machines(count: 1)
      let id = try await machines[0].edit { session in
        try session.note("card")
        try await session.synchronize()
        return try session.syncStatus().replica
      }
      let new = try Machine("new", in: machines.directory)
      try machines.copy(
        try #require(try machines.files(of: machines[0]).first { $0.contains("/keys/") }), from: machines[0],
        to: [new])
      let session = new.vault.session()
      var status = try await session.joinSync(
        UserPath(new.folder), password: TestVault.password, machine: "new")
      #expect(status.others.map(\.id) == [id])
      #expect(status.others.map(\.problem) == [.missing(1)])
      #expect(status.others.map(\.lastSeen) == [nil])
      for file in try machines.files(of: machines[0]) {
        try machines.copy(file, from: machines[0], to: [new])
      }
      status = try await session.synchronize()
      #expect(status.others.map(\.problem) == [nil])
      #expect(try session.allCards(limit: 9).map(\.title) == ["card"])
      session.lock(.request)
    }
  }
}
