import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultCrypto
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("A hostile carrier")
  struct HostileCarrierTests {
    /// Two machines, of which the first published three changes, and the directory of its stream at the second.
    private func prepared() async throws -> (machines: Machines, stream: String, names: [String]) {
      let machines = try await Machines(count: 2)
      for number in 0..<3 {
        try await machines[0].edit { try $0.note("card \(number)") }
        try await machines[0].synchronize()
      }
      let id = try await machines[0].edit { try $0.syncStatus().replica }
      try await machines.mirror()
      let file = try #require(try machines.files(of: machines[1]).first { $0.contains("/changes/\(id)/") })
      let stream = ("\(machines[1].folder)/\(file)" as NSString).deletingLastPathComponent
      return (machines, stream, try FileManager.default.contentsOfDirectory(atPath: stream).sorted())
    }

    private func problem(of machine: Machine) async throws -> SyncProblem? {
      try await machine.synchronize().others.compactMap(\.problem).first
    }

    @Test("S a file that is withheld is named, and what follows it waits")
    func withheld() async throws {
      let (machines, stream, names) = try await prepared()
      try FileManager.default.removeItem(atPath: "\(stream)/\(names[2])")
      #expect(try await problem(of: machines[1]) == .missing(3))
      #expect(try await machines[1].titles() == ["card 0"])
      try await machines.mirror()
      #expect(try await problem(of: machines[1]) == nil)
      #expect(try await machines[1].titles() == ["card 0", "card 1", "card 2"])
    }

    @Test("S a link in place of a directory leads nowhere", arguments: ["changes", "contents", ""])
    func link(directory: String) async throws {
      let (machines, stream, _) = try await prepared()
      let machine = machines[0]
      let victim = machines.directory.appending("victim")
      let names = [String(repeating: "0", count: 15) + "1", String(repeating: "0", count: 32)]
      try FileManager.default.createDirectory(atPath: victim, withIntermediateDirectories: true)
      for name in names { try Data("mine".utf8).write(to: URL(filePath: "\(victim)/\(name)")) }
      let components = stream.split(separator: "/").suffix(4).map(String.init)
      let vault = "\(machine.folder)/\(components[0])/\(components[1])"
      let place = directory.isEmpty ? vault : "\(vault)/\(directory)/\(components[3])"
      try FileManager.default.createDirectory(atPath: "\(vault)/contents", withIntermediateDirectories: true)
      if directory != "contents" { try FileManager.default.removeItem(atPath: place) }
      try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: victim)
      for number in 0..<3 {
        try await machine.edit { session in
          try session.note("later \(number)")
          if directory != "contents" {
            await #expect(throws: FileError.notRegular) { try await session.synchronize() }
          } else {
            try await session.synchronize()
          }
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: victim).sorted() == names.sorted())
    }

    @Test("S a file that is truncated or changed is named, and not applied", arguments: [true, false])
    func changed(isTruncated: Bool) async throws {
      let (machines, stream, names) = try await prepared()
      let url = URL(filePath: "\(stream)/\(names[2])")
      var bytes = try Data(contentsOf: url)
      if isTruncated { bytes.removeLast() } else { bytes[100] ^= 1 }
      try bytes.write(to: url)
      #expect(try await problem(of: machines[1]) == .unreadable(3))
      #expect(try await machines[1].titles() == ["card 0"])
      try await machines.mirror()
      #expect(try await problem(of: machines[1]) == nil)
      try await machines.expectSame()
    }

    @Test("S a stream that was never read is named, too, if its first file is withheld or does not open")
    func unread() async throws {
      let machines = try await Machines(count: 1)
      try await machines[0].edit { try $0.note("card") }
      try await machines[0].synchronize()
      let id = try await machines[0].edit { try $0.syncStatus().replica }
      let file = try #require(
        try machines.files(of: machines[0]).filter { $0.contains("/changes/\(id)/") }.min())
      let first = URL(filePath: "\(machines[0].folder)/\(file)")
      let content = try Data(contentsOf: first)
      let machine = try Machine("new", in: machines.directory)
      let session = machine.vault.session()
      try content.dropLast().write(to: first)
      let status = try await session.joinSync(
        UserPath(machines[0].folder), password: TestVault.password, machine: "new")
      #expect(status.others.map(\.id) == [id])
      #expect(status.others.map(\.problem) == [.unreadable(1)])
      try FileManager.default.removeItem(at: first)
      #expect(try await session.synchronize().others.map(\.problem) == [.missing(1)])
      try content.write(to: first)
      #expect(try await session.synchronize().others.map(\.problem) == [nil])
      #expect(try session.allCards(limit: 50).map(\.title) == ["card"])
    }

    @Test("S of many streams that nobody wrote, some are named")
    func manyUnread() async throws {
      let machines = try await Machines(count: 2)
      try await machines[1].edit { try $0.note("card") }
      try await machines.settle()
      let id = try await machines[1].edit { try $0.syncStatus().replica }
      let file = try #require(try machines.files(of: machines[0]).first { $0.contains("/changes/") })
      let streams = URL(filePath: "\(machines[0].folder)/\(file)").deletingLastPathComponent()
        .deletingLastPathComponent()
      for _ in 0..<100 {
        let stream = try streams.appending(path: Identifier.random().description)
        try FileManager.default.createDirectory(at: stream, withIntermediateDirectories: false)
        try Data("junk".utf8).write(to: stream.appending(path: "0000000000000001"))
      }
      let others = try await machines[0].synchronize().others
      #expect(others.filter { $0.problem == .unreadable(1) }.count == 64)
      #expect(others.contains { $0.id == id && $0.problem == nil })
    }

    @Test("S something else in place of a file is not taken for a file that is still on its way")
    func noFile() async throws {
      let (machines, stream, names) = try await prepared()
      try FileManager.default.removeItem(atPath: "\(stream)/\(names[2])")
      try FileManager.default.createDirectory(
        atPath: "\(stream)/\(names[2])", withIntermediateDirectories: true)
      #expect(try await problem(of: machines[1]) == .unreadable(3))
      #expect(try await machines[1].titles() == ["card 0"])
    }

    @Test("S a file under the name of another does not open")
    func swapped() async throws {
      let (machines, stream, names) = try await prepared()
      try FileManager.default.removeItem(atPath: "\(stream)/\(names[2])")
      try FileManager.default.copyItem(atPath: "\(stream)/\(names[3])", toPath: "\(stream)/\(names[2])")
      #expect(try await problem(of: machines[1]) == .unreadable(3))
    }

    @Test(
      "S an earlier file that is gone is named on machines that have read it, until a snapshot stands for it")
    func earlierRemoved() async throws {
      let (machines, stream, names) = try await prepared()
      #expect(try await problem(of: machines[1]) == nil)
      try FileManager.default.removeItem(atPath: "\(stream)/\(names[2])")
      #expect(try await problem(of: machines[1]) == .missing(3))
      try FileManager.default.removeItem(atPath: "\(stream)/\(names[0])")
      #expect(try await problem(of: machines[1]) == .missing(1))
      for name in names[0...2] {
        let path = "\(machines[0].folder)/" + stream.dropFirst(machines[1].folder.count + 1) + "/" + name
        try FileManager.default.removeItem(atPath: path)
      }
      try await machines.settle()
      #expect(try await problem(of: machines[1]) == nil)
    }

    @Test("S an earlier file that was replaced by another of the same replica is replaced by a snapshot")
    func earlierReplaced() async throws {
      let (machines, stream, names) = try await prepared()
      // A clone of the machine wrote it, and the carrier kept the newer file of each name.
      try await machines[0].edit { session in
        let (vault, replica) = try (session.unlocked(), session.syncStatus().replica)
        var segment = Segment()
        let before = try Data(contentsOf: URL(filePath: "\(stream)/\(names[1])"))
        segment.previous = try SHA256.hash(of: Array(before))
        let sealed = try vault.reader.seal(.segment, replica, 3, segment.encoded())
        try Data(sealed).write(to: URL(filePath: "\(stream)/\(names[2])"))
        try Data(sealed).write(
          to: URL(
            filePath: "\(machines[0].folder)/\(stream.dropFirst(machines[1].folder.count + 1))/\(names[2])"))
      }
      #expect(try await problem(of: machines[1]) == .replaced(4))
      try await machines.settle()
      #expect(try await problem(of: machines[1]) == nil)
      #expect(try await machines[1].titles() == ["card 0", "card 1", "card 2"])
      try await machines.expectSame()
    }

    @Test("S a stream that was rolled back is named")
    func rolledBack() async throws {
      let (machines, stream, names) = try await prepared()
      #expect(try await problem(of: machines[1]) == nil)
      try FileManager.default.removeItem(atPath: "\(stream)/\(names[3])")
      #expect(try await problem(of: machines[1]) == .missing(4))
      #expect(try await machines[1].titles().count == 3)
      try FileManager.default.removeItem(atPath: stream)
      #expect(try await problem(of: machines[1]) == .missing(4))
    }

    @Test("S a segment with a card that does not open is named, and the streams of others are applied")
    func unreadableCard() async throws {
      let machines = try await Machines(count: 3)
      try await machines[1].edit { try $0.note("of another") }
      try await machines[1].synchronize()
      try await machines[0].edit { session in
        try session.note("card")
        let vault = try session.unlocked()
        let (document, card) = try vault.reading { transaction in
          let document = try #require(try vault.syncDocument(transaction))
          var card = CardFamilies()
          try transaction.forEachHistory { _, row in
            guard let family = try vault.family(toPublish: row.id, after: -1, in: transaction) else { return }
            card = family
          }
          return (document, card)
        }
        var segment = Segment()
        (segment.families, segment.previous) = (card, document.own.hash)
        for id in segment.families.rows.keys { segment.families.rows[id]?.sealed[40] ^= 1 }
        let (replica, next) = (document.replica, document.own.sequence + 1)
        let sealed = try vault.reader.seal(.segment, replica, next, segment.encoded())
        let folder = try SyncFolder(
          UserPath(machines[0].folder), vault: vault.reader.vault, epoch: vault.reader.epoch,
          calls: FolderCalls(StallableCalls()))
        try folder.write(sealed, segment, as: next, of: replica)
      }
      try machines.carry()
      let status = try await machines[2].synchronize()
      #expect(status.others.compactMap(\.problem) == [.unreadable(2)])
      #expect(try await machines[2].titles() == ["of another"])
    }

    @Test("S a folder that is not there, as of a medium that was removed, is an error and not made anew")
    func removedFolder() async throws {
      let machines = try await Machines(count: 1)
      try FileManager.default.removeItem(atPath: machines[0].folder)
      await #expect(throws: SyncError.folderNotFound) { try await machines[0].synchronize() }
      #expect(!FileManager.default.fileExists(atPath: machines[0].folder))
    }

    @Test("S a machine whose files were removed publishes all of its cards again")
    func removedAtHome() async throws {
      let (machines, _, _) = try await prepared()
      for file in try machines.files(of: machines[0]) {
        try FileManager.default.removeItem(atPath: machines[0].folder + "/" + file)
      }
      try await machines.settle()
      try await machines.expectSame()
      #expect(try await machines[1].titles() == ["card 0", "card 1", "card 2"])
    }

    @Test("S a machine one of whose files was changed while it is unlocked publishes all of its cards again")
    func changedAtHome() async throws {
      let (machines, _, names) = try await prepared()
      try await machines[0].edit { session in
        for _ in 0..<2 { try await session.synchronize() }
        let published = try session.syncStatus().published
        let file = try #require(
          try machines.files(of: machines[0]).first { $0.contains("changes") && $0.hasSuffix(names[2]) })
        let url = URL(filePath: "\(machines[0].folder)/\(file)")
        var bytes = try Data(contentsOf: url)
        bytes[100] ^= 1
        try bytes.write(to: url)
        #expect(try await session.synchronize().published > published)
        #expect(!FileManager.default.fileExists(atPath: url.path))
      }
      try await machines.settle()
      try await machines.expectSame()
    }
  }
}
