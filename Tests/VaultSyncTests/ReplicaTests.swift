import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultInterface

@testable import Vault

extension MachineTests {
  @Suite("Replicas")
  struct ReplicaTests {
    @Test(
      "S a copy of the vault file is another replica before it writes, and neither loses what the other wrote"
    )
    func copiedFile() async throws {
      let machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("card") }
      try await machines.settle()
      let copy = try Machine("copy", in: machines.directory)
      try FileManager.default.copyItem(atPath: machines[0].vault.path, toPath: copy.vault.path)
      try FileManager.default.removeItem(atPath: copy.folder)
      try FileManager.default.createSymbolicLink(atPath: copy.folder, withDestinationPath: machines[0].folder)
      let original = try await machines[0].edit { try $0.syncStatus().replica }
      #expect(try await copy.edit { try $0.syncStatus().replica } != original)
      #expect(try await copy.edit { try $0.syncStatus().others.map(\.id).contains(original) })
      try await machines[0].edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "mine")) }
      copy.vault.clock.advance(seconds: 1_000)
      try await copy.edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "copy's")) }
      for _ in 0..<2 {
        try await copy.synchronize()
        try await machines.settle()
      }
      #expect(try await machines[1].titles() == ["copy's", "mine (conflict copy)"])
      #expect(try await copy.titles() == ["copy's", "mine (conflict copy)"])
    }

    @Test("S a vault that was not synchronised for a while goes on without a conflict")
    func offAndOn() async throws {
      let machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("card") }
      try await machines.settle()
      try await machines[0].edit { try $0.disableSync() }
      await #expect(throws: SyncError.notEnabled) { try await machines[0].synchronize() }
      try await machines[0].edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "later")) }
      try await machines[0].edit {
        _ = try await $0.enableSync(UserPath(machines[0].folder), machine: "again")
      }
      await #expect(throws: SyncError.alreadyEnabled) {
        try await machines[0].edit { _ = try await $0.enableSync(UserPath("/x"), machine: "") }
      }
      try await machines.settle()
      #expect(try await machines[1].titles() == ["later"])
      try await machines[1].edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "last")) }
      try await machines.settle()
      #expect(try await machines[0].titles() == ["last"])
    }

    @Test("S a folder that contains the vault's own file is refused, at any depth, whatever links lead there")
    func vaultInFolder() async throws {
      let vault = try TestVault(inMemory: true)
      let (directory, files) = (vault.directory, FileManager.default)
      let inner = directory + "/vault/inner"
      try files.createDirectory(atPath: inner, withIntermediateDirectories: true)
      try files.createSymbolicLink(atPath: directory + "/vault/link", withDestinationPath: "../..")
      let session = try await vault.create()
      for folder in ["", "/", "/..", "/../..", "/../../..", "/vault/..", "/vault/link"] {
        await #expect(throws: SyncError.vaultInFolder) {
          try await session.enableSync(UserPath(directory + folder), machine: "")
        }
      }
      // This is beside the vault, and its path is the beginning of the vault's.
      _ = try await session.enableSync(UserPath(directory + "/vault"), machine: "first")
      let folder = try UserPath(directory + "/vault")
      for place in [inner, directory + "/vault", inner + "/../../vault/inner"] {
        let joining = VaultSession(path: place + "/new.quickvault", clock: vault.clock)
        await #expect(throws: SyncError.vaultInFolder) {
          try await joining.joinSync(folder, password: TestVault.password, machine: "")
        }
        #expect(try !joining.status().exists)
      }
      let joining = VaultSession(path: directory + "/new.quickvault", clock: vault.clock)
      let status = try await joining.joinSync(folder, password: TestVault.password, machine: "second")
      #expect(status.others.count == 1)
    }

    @Test("S settings that two machines changed at once are both kept", arguments: [0, 1])
    func settings(later: Int) async throws {
      let machines = try await Machines(count: 2)
      machines[later].vault.clock.advance(seconds: 60)
      try await machines[0].edit { _ = try $0.updateSettings([.autoLockSeconds: .seconds(99)]) }
      try await machines[1].edit {
        _ = try $0.updateSettings([.clipboardClearSeconds: .seconds(77)])
      }
      try await machines.settle()
      for machine in machines.all {
        let settings = try await machine.edit { try $0.settings() }
        #expect(settings.seconds(.autoLockSeconds) == 99 && settings.seconds(.clipboardClearSeconds) == 77)
      }
    }

    @Test("S a setting that is changed on a machine whose clock is behind is the last one everywhere")
    func settingsOfAClockBehind() async throws {
      let machines = try await Machines(count: 3)
      machines[0].vault.clock.setWall(by: 300_000)
      try await machines[0].edit { _ = try $0.updateSettings([.autoLockSeconds: .seconds(99)]) }
      try await machines.settle()
      try await machines[1].edit { _ = try $0.updateSettings([.autoLockSeconds: .seconds(77)]) }
      try await machines.settle()
      for machine in machines.all {
        #expect(try await machine.edit { try $0.settings().seconds(.autoLockSeconds) } == 77)
      }
    }

    @Test("S a card whose attachment is not here waits; others do not wait for it")
    func missingContent() async throws {
      let machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("with attachment") }
      try await machines[0].edit { session in
        let content = try #require(PrivateBytes(capacity: 100))
        content.append(Array("picture".utf8))
        let draft = AttachmentDraft(
          name: "a.png", mediaType: .png, width: 1, height: 1, watermark: nil, content: content)
        _ = try session.addAttachment(draft, to: card.id)
        try session.note("without")
      }
      try await machines[0].synchronize()
      try await machines.mirror()
      let file = try #require(try machines.files(of: machines[1]).first { $0.contains("contents") })
      try FileManager.default.removeItem(atPath: machines[1].folder + "/" + file)
      let status = try await machines[1].synchronize()
      #expect(status.others.map(\.problem) == [.contentMissing(2)])
      #expect(try await machines[1].titles() == ["without"])
      try await machines.settle()
      #expect(try await machines[1].titles() == ["with attachment", "without"])
      try await machines.expectSame()
    }

    @Test("S the content of an attachment of a conflict copy is published again if it is gone")
    func missingContentOfCopy() async throws {
      let machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("card") }
      try await machines.settle()
      try await machines[0].edit { try $0.attach("picture", to: card.id) }
      // The newer content becomes the card's.
      machines[1].vault.clock.advance(seconds: 1_000)
      try await machines[1].edit { _ = try $0.updateCard(card.id, revision: nil, CardChange(title: "newer")) }
      try await machines.settle()
      #expect(try await machines[0].titles() == ["card (conflict copy)", "newer"])
      for machine in machines.all {
        for file in try machines.files(of: machine) where file.contains("/contents/") {
          try FileManager.default.removeItem(atPath: machine.folder + "/" + file)
        }
      }
      try await machines.settle()
      for machine in machines.all {
        #expect(try machines.files(of: machine).contains { $0.contains("/contents/") })
      }
    }

    @Test("S a card that waits for its attachment is not forgotten while its segment is missing")
    func missingContentAndSegment() async throws {
      let machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("with attachment") }
      try await machines[0].edit { try $0.attach("picture", to: card.id) }
      try await machines[0].synchronize()
      try await machines.mirror()
      let replica = try await machines[0].edit { try $0.syncStatus().replica }
      for part in ["/contents/", "/changes/\(replica)/"] {
        let file = try #require(
          try machines.files(of: machines[1]).filter { $0.contains(part) }.max {
            $0.suffix(16) < $1.suffix(16)
          })
        try FileManager.default.removeItem(atPath: machines[1].folder + "/" + file)
        let status = try await machines[1].synchronize()
        #expect(status.others.first?.problem != nil)
      }
      try await machines.settle()
      #expect(try await machines[1].titles() == ["with attachment"])
      try await machines.expectSame()
    }

    @Test(
      "S what follows a card that waits for its attachment is applied, however much it is",
      .timeLimit(.minutes(5)))
    func muchAfterMissingContent() async throws {
      let machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("with attachment") }
      try await machines[0].edit { try $0.attach("picture", to: card.id) }
      for number in 0..<4 {
        try await machines[0].synchronize()
        try await machines[0].edit { session in
          for part in 0..<6 {
            try session.note("\(number) \(part)", text: String(repeating: "x", count: 90_000))
          }
        }
      }
      try await machines[0].synchronize()
      try await machines.mirror()
      let file = try #require(try machines.files(of: machines[1]).first { $0.contains("/contents/") })
      try FileManager.default.removeItem(atPath: machines[1].folder + "/" + file)
      let status = try await machines[1].synchronize()
      let stream = "/changes/\(status.others[0].id)/"
      let snapshot = try #require(
        try machines.files(of: machines[1]).filter { $0.contains(stream) }.map { $0.suffix(16) }.min())
      #expect(status.others.map(\.problem) == [.contentMissing(try #require(Int64(snapshot, radix: 16)))])
      #expect(try await machines[1].titles().count == 24)
      try await machines.settle()
      try await machines.expectSame()
    }

    @Test("S a process that ends between its files and its document publishes on where it was")
    func killedWhilePublishing() async throws {
      let machines = try await Machines(count: 2)
      try await machines[0].edit { try $0.note("one") }
      let before = try Data(contentsOf: URL(filePath: machines[0].vault.path))
      try await machines[0].synchronize()
      try await machines.mirror()
      try await machines[1].synchronize()
      try before.write(to: URL(filePath: machines[0].vault.path))
      try await machines[0].edit { try $0.note("two") }
      try await machines.settle()
      #expect(try await machines[1].titles() == ["one", "two"])
      try await machines.expectSame()
    }

    @Test("S what another machine publishes by now does not stay in the snapshot of the first")
    func takenOver() async throws {
      let machines = try await Machines(count: 2)
      let text = String(repeating: "long ", count: 400)
      try await machines[0].edit { session in
        for number in 0..<100 { try session.note("card \(number)", text: text) }
      }
      try await machines.settle()
      #expect(try await machines.size(ofStream: 0) > 200_000)
      try await machines[1].edit { session in
        for card in try session.allCards(limit: 500) {
          _ = try session.updateCard(card.id, revision: nil, CardChange(title: card.title + " again"))
        }
      }
      try await machines.settle()
      #expect(try await machines.size(ofStream: 0) < 100_000)
      #expect(try await machines.size(ofStream: 1) > 200_000)
      try await machines.expectSame()
    }

    @Test("S a machine publishes what it wrote before and after it applied more changes than the head lists")
    func unpublishedBesideMany() async throws {
      let machines = try await Machines(count: 2)
      try await machines[0].edit { session in for number in 0..<100 { try session.note("card \(number)") } }
      try await machines.settle()
      try await machines[1].edit { try $0.note("before") }
      for round in 0..<2 {
        try await machines[0].edit { session in
          for card in try session.allCards(limit: 500) where card.title.hasPrefix("card") {
            _ = try session.updateCard(card.id, revision: nil, CardChange(fields: ["text": "\(round)"]))
          }
        }
        try await machines[0].synchronize()
        try await machines.mirror()
        try await machines[1].synchronize()
        try await machines.mirror()
        try await machines[0].synchronize()
        #expect(try await machines[0].titles().prefix(1 + round) == ["after", "before"].suffix(1 + round))
        try await machines[1].edit { try $0.note("after") }
      }
      try await machines.settle()
      try await machines.expectSame()
    }

    @Test("S what follows a snapshot stays within half of it, or 64 KiB, but for what was published last")
    func sizeOfTail() async throws {
      let machines = try await Machines(count: 1)
      let large = String(repeating: "long ", count: 4_000)
      let cards = try await machines[0].edit { session in
        let cards = try (0..<12).map { try session.note("card \($0)", text: large).id }
        try await session.synchronize()
        return cards
      }
      var (snapshots, tail): (Set<Int64>, Int64) = ([], 0)
      // The cards change, become small, and become large again.
      for round in 0..<36 {
        let text = round / 12 == 1 ? "short" : large + "\(round)"
        let own = try await machines[0].edit { session in
          _ = try session.updateCard(cards[round % 12], revision: nil, CardChange(fields: ["text": text]))
          try await session.synchronize()
          return try session.syncFolder().document.own
        }
        #expect(try await machines.size(ofStream: 0) == Int(own.snapshotSize + own.tailSize))
        if !snapshots.insert(own.first).inserted { #expect(tail <= max(65_536, own.snapshotSize / 2)) }
        tail = own.tailSize
      }
      #expect(snapshots.count > 2)
    }

    @Test("S a machine that is gone is forgotten, and nothing that only it had published is lost")
    func forgotten() async throws {
      let machines = try await Machines(count: 3)
      try await machines[2].edit { try $0.note("of the lost machine") }
      try await machines.settle()
      let lost = try await machines[2].edit { try $0.syncStatus().replica }
      try await machines[0].edit { session in
        await #expect(throws: SyncError.ownReplica) {
          try await session.forgetReplica(session.syncStatus().replica)
        }
        try await session.forgetReplica(lost)
        #expect(try session.syncStatus().others.count == 1)
      }
      #expect(try machines.files(of: machines[0]).allSatisfy { !$0.contains(lost.description) })
      let joined = try Machine("new", in: machines.directory)
      let session = joined.vault.session()
      let status = try await session.joinSync(
        UserPath(machines[0].folder), password: TestVault.password, machine: "new")
      #expect(status.others.count == 2)
      #expect(try session.allCards(limit: 9).map(\.title) == ["of the lost machine"])
      session.lock(.request)
    }

    @Test("S a machine that cannot write to the folder does not join, and leaves no vault behind")
    func joinWithoutWriting() async throws {
      let machines = try await Machines(count: 1)
      try await machines[0].edit { try $0.note("card") }
      try await machines[0].synchronize()
      let file = try #require(try machines.files(of: machines[0]).first { $0.contains("/changes/") })
      let vault = file.split(separator: "/").prefix(2).joined(separator: "/")
      let changes = "\(machines[0].folder)/\(vault)/changes"
      try FileManager.default.moveItem(atPath: changes, toPath: changes + ".aside")
      try FileManager.default.createSymbolicLink(atPath: changes, withDestinationPath: changes + ".aside")
      let machine = try Machine("new", in: machines.directory)
      let session = machine.vault.session()
      let folder = try UserPath(machines[0].folder)
      await #expect(throws: FileError.notRegular) {
        try await session.joinSync(folder, password: TestVault.password, machine: "")
      }
      #expect(try !session.status().exists)
      try FileManager.default.removeItem(atPath: changes)
      try FileManager.default.moveItem(atPath: changes + ".aside", toPath: changes)
      _ = try await session.joinSync(folder, password: TestVault.password, machine: "")
      #expect(try session.allCards(limit: 50).map(\.title) == ["card"])
    }

    @Test("S a wrong password and a folder without a vault are told apart, and leave no vault behind")
    func joinRefusals() async throws {
      let machines = try await Machines(count: 1)
      let machine = try Machine("new", in: machines.directory)
      let session = machine.vault.session()
      await #expect(throws: SyncError.noVault) {
        try await session.joinSync(UserPath(machine.folder), password: TestVault.password, machine: "")
      }
      await #expect(throws: SyncError.wrongPassword) {
        try await session.joinSync(UserPath(machines[0].folder), password: "another password", machine: "")
      }
      await #expect(throws: SyncError.folderNotFound) {
        try await session.joinSync(UserPath("/nowhere"), password: TestVault.password, machine: "")
      }
      await #expect(throws: SyncError.notAFolder) {
        try await session.joinSync(UserPath("/proc/version"), password: TestVault.password, machine: "")
      }
      #expect(try !session.status().exists)
    }
  }
}
