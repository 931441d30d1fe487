import Foundation
import SessionSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  /// The whole machine is restored from a backup, with what it remembers of the vault: the file does not look older.
  @Suite("Restored machines")
  struct RestoredMachineTests {
    /// Whether the backup has the machine's folder too, and what was done after the backup.
    struct Loss: CustomTestStringConvertible {
      var hasFolder: Bool
      var editsLost = 1
      var editsAgain = 1
      var publishesFirst = false

      var testDescription: String { "\(self)" }
    }

    static let losses = [
      Loss(hasFolder: false), Loss(hasFolder: true), Loss(hasFolder: true, editsLost: 3),
      Loss(hasFolder: true, editsAgain: 3), Loss(hasFolder: false, editsAgain: 0),
      Loss(hasFolder: true, publishesFirst: true), Loss(hasFolder: true, editsLost: 3, publishesFirst: true),
    ]

    @Test("S R10 a machine that could not become another replica can be written after the next unlock")
    func notRenewed() async throws {
      let machines = try await Machines(count: 1)
      let former = try await machines[0].edit { try $0.syncStatus().replica }
      try await machines[0].edit { session in
        // As a full disk leaves it, in a new vault key's first moment.
        try session.unlocked().needsNewReplica = true
        #expect(throws: VaultError.readOnly) { try session.note("refused") }
        try await session.unlock(password: TestVault.password)
        try session.note("written")
        #expect(try session.syncStatus().replica != former)
      }
      #expect(try await machines[0].titles() == ["written"])
    }

    @Test(
      "S a machine that was restored from a backup is another replica, and neither what it had written nor what it writes is lost",
      arguments: losses)
    func restored(_ loss: Loss) async throws {
      let machines = try await Machines(count: 2)
      let card = try await machines[0].edit { try $0.note("card") }
      try await machines.settle()
      let former = try await machines[0].edit { try $0.syncStatus().replica }
      let backup = try Backup(of: machines[0])
      try await machines[0].change(card.id, "lost", times: loss.editsLost)
      try await machines.settle()

      try backup.restore(withFolder: loss.hasFolder)
      if loss.publishesFirst {
        try await machines[0].change(card.id, "again", times: loss.editsAgain)
        try await machines[0].synchronize()
        // Of two files of one name, an engine keeps the newer.
        try await machines.mirror()
        // What others publish says how much of the stream they have seen.
        try await machines[1].edit { _ = try $0.note("other") }
      } else {
        try machines.carry()
        try await machines[0].change(card.id, "again", times: loss.editsAgain)
      }
      for _ in 0..<2 { try await machines.settle() }
      if loss.publishesFirst {
        // A stream that has two segments of one number is named, and what it has is there with the next snapshot.
        let problems = try await machines[1].synchronize().others.compactMap(\.problem)
        let isOther = try await machines[0].edit { try $0.syncStatus().replica } != former
        #expect(isOther || !problems.isEmpty)
        try await machines[0].edit { try await $0.publishSnapshot() }
        for _ in 0..<2 { try await machines.settle() }
        // What a stream had before it was replaced is published by those who have it.
        if isOther {
          try await machines[1].edit { try await $0.forgetReplica(former) }
          for _ in 0..<2 { try await machines.settle() }
        }
      } else {
        #expect(try await machines[0].edit { try $0.syncStatus().replica } != former)
      }
      let lost = "lost \(loss.editsLost)"
      let again = "again \(loss.editsAgain)"
      for number in 0..<2 {
        let titles = try await machines[number].titles().filter { $0 != "other" }
        #expect(titles == (loss.editsAgain == 0 ? [lost] : [again, lost + " (conflict copy)"]))
      }
    }
  }
}

/// A copy of what a machine has.
private struct Backup {
  let machine: Machine
  private let place: String

  init(of machine: Machine) throws {
    self.machine = machine
    place = machine.folder + ".backup"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: machine.vault.path, toPath: place + "/vault")
    try FileManager.default.copyItem(atPath: machine.folder, toPath: place + "/folder")
  }

  func restore(withFolder: Bool) throws {
    for path in try FileManager.default.contentsOfDirectory(atPath: machine.vault.directory) {
      try FileManager.default.removeItem(atPath: machine.vault.directory + "/" + path)
    }
    try FileManager.default.copyItem(atPath: place + "/vault", toPath: machine.vault.path)
    guard withFolder else { return }
    try FileManager.default.removeItem(atPath: machine.folder)
    try FileManager.default.copyItem(atPath: place + "/folder", toPath: machine.folder)
  }
}

extension Machine {
  fileprivate func change(_ card: Identifier, _ title: String, times: Int) async throws {
    for number in 0..<times {
      try await edit {
        _ = try $0.updateCard(card, revision: nil, CardChange(title: "\(title) \(number + 1)"))
      }
      try await synchronize()
    }
  }
}

extension VaultSession {
  /// Makes the next publication a snapshot.
  fileprivate func publishSnapshot() async throws {
    let vault = try unlocked()
    try vault.change { transaction, change in
      guard var document = try vault.syncDocument(transaction.read) else { return }
      document.own.tailSize = .max / 2
      try vault.write(document, transaction, &change)
    }
    try await synchronize()
  }
}
