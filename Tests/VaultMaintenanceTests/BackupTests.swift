import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("Backup")
  struct BackupTests {
    let vault: TestVault
    let session: VaultSession
    let place: TestVault

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
      place = try TestVault()
      for number in 0..<30 { try session.note("note \(number)", text: String(repeating: "x", count: 300)) }
      _ = try session.updateSettings([.language: .text("zh-Hans")])
    }

    private func backUp(
      _ path: String, keep: Int? = nil, overwrites: Bool = false, _ report: (Int) async -> Void = { _ in }
    ) async throws -> Backup {
      try await session.backUp(to: UserPath(path), keep: keep, overwrites: overwrites, report)
    }

    private func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: place.directory).sorted()
    }

    private func opened(_ path: String) async throws -> VaultSession {
      let session = VaultSession(path: path, clock: vault.clock)
      try await session.unlock(password: TestVault.password)
      return session
    }

    @Test(
      "R14 a backup is the complete vault in one file that only its owner can read and that can be opened")
    func whole() async throws {
      let path = place.directory + "/copy ?#%41 备份.quickvault"
      var told: [Int] = []
      let backup = try await backUp(path) { told.append($0) }
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(
        backup
          == Backup(
            path: path, size: attributes[.size] as? Int ?? 0, cards: 30, attachments: 0,
            integrity: .intact, removed: []))
      #expect(try names() == ["copy ?#%41 备份.quickvault"])
      #expect(told == told.sorted() && told.allSatisfy { (0...99).contains($0) })

      let restored = try await opened(path)
      #expect(try restored.summary() == session.summary())
      #expect(try restored.allCards().map(\.id) == session.allCards().map(\.id))
      for card in try session.allCards() {
        #expect(try restored.card(card.id) == session.card(card.id))
      }
      #expect(try await restored.verify { _ in }.integrity == .intact)
      try restored.note("goes on")
      try session.note("so does this")
      #expect(try session.summary().cardCount == 31)
    }

    @Test(
      "R14 in a directory a backup gets the vault's name and the time, and only `keep` backups stay")
    func rotation() async throws {
      let other = try TestVault()
      let stranger = try await other.create()
      stranger.close()
      let strangersName = place.directory + "/vault-20200101T000000Z.quickvault"
      try FileManager.default.copyItem(atPath: other.path, toPath: strangersName)
      for name in [
        "vault-notes.quickvault", "vault-20200101T000000Z.txt", "vault-20200102T000000Z.quickvault",
      ] {
        try Data("mine".utf8).write(to: URL(filePath: place.directory + "/" + name))
      }
      let untouched = try names()
      var made: [String] = []
      for count in 1...5 {
        let backup = try await backUp(place.directory + "/", keep: 3)
        #expect(
          backup.path.hasPrefix(place.directory + "/vault-2026") && backup.path.hasSuffix("Z.quickvault"))
        made.append(backup.path)
        #expect(backup.removed == (count > 3 ? [made[count - 4]] : []))
        vault.clock.advance(seconds: 61)
      }
      #expect(
        try Set(names()) == Set(untouched + made.suffix(3).map { String($0.split(separator: "/").last!) }))
      // A clock that was set back makes the newest look old, and it stays all the same.
      vault.clock.setWall(by: -1_000_000_000)
      let early = try await backUp(place.directory, keep: 1)
      #expect(early.removed == Array(made.suffix(3)))
      #expect(try Set(names()) == Set(untouched + [String(early.path.split(separator: "/").last!)]))
    }

    @Test(
      "R14 a backup that is open as a vault is not removed, and not counted")
    func rotationInUse() async throws {
      let old = try await backUp(place.directory)
      vault.clock.advance(seconds: 2)
      let user = try await opened(old.path)
      try user.note("made in the restored backup")
      let newer = try await backUp(place.directory, keep: 1)
      #expect(newer.removed == [] && newer.integrity == .intact)
      try user.note("and on it goes")
      #expect(try user.summary().cardCount == 32)
      user.lock(.request)
      vault.clock.advance(seconds: 2)
      #expect(try await backUp(place.directory, keep: 1).removed == [old.path, newer.path])
    }

    @Test("R14 backups of the same second have different names, and all are kept without a limit")
    func sameSecond() async throws {
      var paths: [String] = []
      for _ in 0..<11 { paths.append(try await backUp(place.directory).path) }
      #expect(Set(paths).count == 11 && paths[10].hasSuffix("Z-11.quickvault"))
      let last = try await backUp(place.directory, keep: 2)
      #expect(last.removed == Array(paths.prefix(10)))
    }

    @Test("R17 an existing file is overwritten only on request, and a vault in use never")
    func refusals() async throws {
      let path = place.directory + "/copy.quickvault"
      try Data("mine".utf8).write(to: URL(filePath: path))
      #expect(await errorOf { _ = try await backUp(path) } == .file(.exists))
      #expect(try Data(contentsOf: URL(filePath: path)) == Data("mine".utf8))
      #expect(try await backUp(path, overwrites: true).integrity == .intact)
      #expect(try await opened(path).summary().cardCount == 30)

      #expect(await errorOf { _ = try await backUp(vault.path, overwrites: true) } == .backup(.inUse))
      try FileManager.default.createSymbolicLink(
        atPath: place.directory + "/link", withDestinationPath: vault.path)
      #expect(
        await errorOf { _ = try await backUp(place.directory + "/link", overwrites: true) } == .backup(.inUse)
      )
      try Data("log".utf8).write(to: URL(filePath: path + "-wal"))
      #expect(await errorOf { _ = try await backUp(path, overwrites: true) } == .backup(.inUse))
      #expect(await errorOf { _ = try await backUp(path, keep: 3) } == .backup(.needsDirectory))
      #expect(await errorOf { _ = try await backUp("/nowhere/at/all") } == .file(.notFound))
      #expect(await errorOf { _ = try await backUp(place.directory + "/none/") } == .file(.notFound))
      #expect(await errorOf { _ = try await backUp(path + "/inside") } == .file(.notFound))
      #expect(await errorOf { _ = try await backUp("/dev/null", overwrites: true) } == .file(.notRegular))
      session.close()
      #expect(await errorOf { _ = try await backUp(path) } == .locked)
    }

    @Test("R14 another session can write in the meantime: the copy is a snapshot")
    func whileWriting() async throws {
      let writer = try await vault.unlock()
      let backup = try await backUp(place.directory) { _ in _ = try? writer.note("meanwhile") }
      #expect(backup.integrity == .intact && backup.cards >= 30)
      #expect(try writer.summary().cardCount > 30)
      let restored = try await opened(backup.path)
      #expect(try restored.summary().isIntact)
      #expect(try restored.summary().cardCount == backup.cards)
    }

    @Test("R10 a backup of a damaged vault is reported as damaged, and removes no good one")
    func damaged() async throws {
      let good = try await backUp(place.directory)
      let card = try session.allCards()[3]
      vault.clock.advance(seconds: 2)
      try RawFile(vault).flip(
        "sealed", of: "card", where: "number = \(Int64(bitPattern: card.id.high))", byte: 20)
      let backup = try await backUp(place.directory, keep: 1)
      #expect(backup.integrity == .damaged && backup.cards == 30 && backup.removed.isEmpty)
      #expect(try names().count == 2)
      #expect(try await opened(good.path).summary().isIntact)
      let copy = try await opened(backup.path)
      #expect(try await copy.verify { _ in }.damaged == [card.id])
    }

    @Test("R14 locked or cancelled, it is complete or missing; the remains of a killed one are removed")
    func stopped() async throws {
      let leftover = place.directory + "/.quickvault-unfinished-1"
      try Data("x".utf8).write(to: URL(filePath: leftover))
      let path = try UserPath(place.directory)
      for round in 0..<6 {
        let owner = try await SessionOwner.unlocked(vault)
        let task = Task {
          try await owner.backUp(to: path) { _ in
            if round % 2 == 0 { await owner.lock() } else { withUnsafeCurrentTask { $0?.cancel() } }
          }
        }
        switch await task.result {
        case .success(let backup): #expect(try names() == [URL(filePath: backup.path).lastPathComponent])
        case .failure(let error):
          #expect(error is CancellationError || error as? VaultError == .locked)
          #expect(try names() == [])
        }
        for name in try names() { try FileManager.default.removeItem(atPath: place.directory + "/" + name) }
        await owner.lock()
      }
      // A task that is cancelled before it begins never gets to the end.
      let owner = try await SessionOwner.unlocked(vault)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await owner.backUp(to: path) { _ in }
      }
      await #expect(throws: CancellationError.self) { _ = try await task.value }
      #expect(try names() == [])
      await owner.lock()
    }
  }
}
