import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultCrypto
import VaultInterface
import VaultStore
import Wire

@testable import Vault

extension MachineTests {
  @Suite("Unreadable files of a carrier")
  struct UnreadableFileTests {
    /// The number of rounds in which a file is read that does not change: a second time if it was young at the first.
    private static let reads = 1...2

    /// Synchronises a machine some times in one session, and counts in how many of them each file was opened.
    private func counts(_ machine: Machine, _ files: [URL], rounds: Int = 6) async throws -> [Int] {
      let opened = try OpenedFiles(files.map(\.path))
      try await machine.edit { session in
        for number in 0..<rounds {
          try session.note("change \(number)")
          try await session.synchronize()
          opened.endRound()
        }
      }
      return files.map { opened.counts[$0.path] ?? 0 }
    }

    @Test("S a segment that was found unreadable is not read again until it changes")
    func segments() async throws {
      let machines = try await Machines(count: 2)
      try await machines[0].edit { try $0.note("card") }
      try await machines.settle()
      let id = try await machines[0].edit { try $0.syncStatus().replica }
      let names = try machines.files(of: machines[1]).filter { $0.contains("/changes/\(id)/") }.sorted()
      let newest = URL(filePath: "\(machines[1].folder)/\(try #require(names.last))")
      let content = try Data(contentsOf: newest)
      let stream = newest.deletingLastPathComponent()
      var forged: [URL] = []
      for _ in 0..<8 {
        let other = try stream.deletingLastPathComponent().appending(path: Identifier.random().description)
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
        forged.append(other.appending(path: "0000000000000001"))
      }
      // Another in the place of the newest, and one that follows it.
      forged += [newest, stream.appending(path: "000000000000ffff")]
      for file in forged { try Data(repeating: 7, count: 100_000).write(to: file) }
      let counts = try await counts(machines[1], forged)
      #expect(counts.allSatisfy(Self.reads.contains), "\(counts)")

      try await machines[1].edit { session in
        let problems = try await session.synchronize().others.map(\.problem)
        #expect(problems.filter { $0 == .unreadable(1) }.count == 8)
        #expect(problems.contains(.unreadable(0xFFFF)))
        try content.write(to: newest)
        try FileManager.default.removeItem(at: forged[9])
        let status = try await session.synchronize()
        #expect(status.others.first { $0.id == id }?.problem == nil)
      }
    }

    @Test("S requests go before the next of many long segments that nobody wrote")
    func pauses() async throws {
      let machines = try await Machines(count: 1)
      try await machines[0].edit { session in
        let file = try #require(try machines.files(of: machines[0]).first { $0.contains("/changes/") })
        let streams = URL(filePath: "\(machines[0].folder)/\(file)").deletingLastPathComponent()
          .deletingLastPathComponent()
        for _ in 0..<4 {
          let other = try streams.appending(path: Identifier.random().description)
          try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
          try Data(count: 2 << 20).write(to: other.appending(path: "0000000000000001"))
        }
        var pauses = 0
        let status = try await session.synchronize(pause: { _ in pauses += 1 })
        #expect(pauses == 4)
        #expect(status.others.map(\.problem) == Array(repeating: .unreadable(1), count: 4))
      }
    }

    @Test("S a content that was found unreadable is not read again until it changes")
    func contents() async throws {
      let machines = try await Machines(count: 2)
      try await machines[0].edit { session in
        let card = try session.note("card")
        try session.attach("content of the card", to: card.id)
        try await session.synchronize()
      }
      try machines.carry()
      let name = try #require(try machines.files(of: machines[1]).first { $0.contains("/contents/") })
      let file = URL(filePath: "\(machines[1].folder)/\(name)")
      let content = try Data(contentsOf: file)
      var changed = content
      // The salt and the tag, by which it is known, are the first and the last bytes.
      changed[changed.count / 2] ^= 1
      try changed.write(to: file)
      let counts = try await counts(machines[1], [file])
      #expect(counts.allSatisfy(Self.reads.contains), "\(counts)")
      #expect(try await machines[1].titles().contains("card") == false)
      try await machines[1].edit { session in
        #expect(try await session.synchronize().others.compactMap(\.problem).count == 1)
        try content.write(to: file)
        #expect(try await session.synchronize().others.compactMap(\.problem).isEmpty)
      }
      #expect(try await machines[1].titles().contains("card"))
    }

    /// Returns a key file that nobody with the vault key made.
    private func forged(
      _ file: KeyFile, _ number: UInt8, algorithm: UInt8 = 1, iterations: UInt32, memoryKiB: UInt32 = 0
    ) throws -> KeyFile {
      var forged = file
      (forged.replica, forged.version) = (try Identifier.random(), 1_000 + Int64(number))
      forged.slot = SlotRow(
        id: try Identifier.random(), kind: file.slot.kind, algorithm: algorithm, iterations: iterations,
        memoryKiB: memoryKiB, salt: [UInt8](repeating: number, count: 16), sealed: file.slot.sealed)
      return forged
    }

    @Test("S forged key files do not keep a machine from joining, and cost no more than they may")
    func keyFiles() async throws {
      let machines = try await Machines(count: 1)
      let name = try #require(try machines.files(of: machines[0]).first { $0.contains("/keys/") })
      let url = URL(filePath: "\(machines[0].folder)/\(name)")
      let file = try KeyFile(decoding: Array(try Data(contentsOf: url)))
      var files: [KeyFile] = try (UInt8(0)..<30).map { try forged(file, $0, iterations: 10_000_000) }
      files.append(try forged(file, 30, algorithm: 2, iterations: 1, memoryKiB: 1 << 20))
      for forged in files {
        let name = "\(forged.replica)-\(SyncFolder.name(forged.number))"
        try Data(forged.encoded).write(to: url.deletingLastPathComponent().appending(path: name))
      }
      // The first takes the least work; the memory of another is beyond the limit; then there is work for two more.
      let tried = KeyFiles.affordable(files + [file])
      #expect(tried.first == file)
      #expect(tried.map(\.slot.iterations).dropFirst() == [10_000_000, 10_000_000])
      #expect(KeyFiles.affordable(Array(repeating: file, count: 3)) == [file])
      #expect(KeyFiles.affordable([files[30]]) == [files[30]])

      let machine = try Machine("new", in: machines.directory)
      let session = machine.vault.session()
      let status = try await session.joinSync(
        UserPath(machines[0].folder), password: TestVault.password, machine: "new")
      #expect(status.others.compactMap(\.problem).isEmpty)
      session.lock(.request)
    }
  }
}
