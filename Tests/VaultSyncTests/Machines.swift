import Foundation
import SessionSupport
import TestSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

/// A machine with a vault and a folder of its own, which a carrier keeps like the folders of the others.
struct Machine {
  /// The password that opens the vault.
  final class Password {
    var value = TestVault.password
  }

  let password = Password()
  let vault: TestVault
  let folder: String
  /// Removed with the last of its machines.
  private let directory: TemporaryDirectory

  init(_ name: String, in directory: TemporaryDirectory) throws {
    vault = try TestVault(inMemory: true)
    self.directory = directory
    folder = directory.appending(name)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  @discardableResult func edit<Value>(
    password: String? = nil, _ body: (VaultSession) async throws -> Value
  ) async throws -> Value {
    vault.clock.advance(seconds: 10)
    let session = try await vault.unlock(password ?? self.password.value)
    defer { session.lock(.request) }
    return try await body(session)
  }

  @discardableResult func synchronize() async throws -> SyncStatus {
    try await edit { try await $0.synchronize() }
  }

  /// Follows another machine to its new vault key, if there is one, and if what it needs has arrived.
  func rejoin(password: String) async throws {
    guard try await synchronize().hasNewKey else { return }
    do {
      _ = try await edit { try await $0.rejoin(password: password) }
      self.password.value = password
    } catch SyncError.noVault {
    } catch SyncError.wrongPassword {
      // The carrier may have cut off the new key's file, or made it longer.
    }
  }

  /// Changes a byte of a sealed record of the locked vault.
  func damage(_ table: String, _ id: Identifier) throws {
    let raw = try RawFile(vault)
    try raw.flip("sealed", of: table, where: "number = \(id.number)", byte: 20)
    try raw.run("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  @discardableResult func repair() async throws -> Repair {
    try await vault.session().repair(password: TestVault.password, copy: nil)
  }

  func titles() async throws -> [String] {
    try await edit { try $0.allCards(limit: 500).map(\.title).sorted() }
  }

  /// Everything that a person has in it, with identifiers; `isExact` for revisions too.
  func contents() async throws -> [String] { try await edit { try await contents(of: $0) } }

  func contents(of session: VaultSession) async throws -> [String] {
    #expect(try await session.verify({ _ in }).integrity == .intact)
    let settings = try session.settings()
    let cards = try session.allCards(limit: 500).map { listed in
      let card = try session.card(listed.id)
      let attachments = try card.attachments.map { attachment in
        let content = try session.content(of: attachment.id)
        return
          "\(attachment.id) \(attachment.seal.bytes) \(attachment.name) \(attachment.watermark?.text ?? "") "
          + "\(content.prefix(99))"
      }
      return "\(card.id) \(card.revision) \(card.title)|\(card.fields)|\(card.tags)|\(card.pinned)|"
        + "\(card.modifiedAt.milliseconds)|" + attachments.sorted().joined(separator: "|")
    }
    return cards.sorted() + [
      "\(settings.seconds(.autoLockSeconds) ?? 0) \(settings.seconds(.clipboardClearSeconds) ?? 0)"
    ]
  }
}

extension VaultSession {
  /// Adds an attachment to a card.
  func attach(_ text: String, to card: Identifier) throws {
    let content = try #require(PrivateBytes(capacity: 100))
    content.append(Array(text.utf8))
    let draft = AttachmentDraft(
      name: "a.png", mediaType: .png, width: 1, height: 1, watermark: nil, content: content)
    _ = try addAttachment(draft, to: card)
  }
}

extension VaultSession {
  /// Returns the only conflict copy of the only card.
  func copy(of card: Identifier) throws -> Card {
    try #require(try allCards(limit: 50).first { $0.id != card })
  }

  /// Deletes or changes the only conflict copy of a card.
  func settleCopy(of card: Identifier, byDeleting isDeleted: Bool) throws {
    let copy = try copy(of: card)
    if isDeleted {
      try deleteCard(copy.id, revision: nil)
    } else {
      _ = try updateCard(copy.id, revision: nil, CardChange(title: "copy, changed"))
    }
  }
}

/// Machines that synchronise one vault.
struct Machines {
  private(set) var all: [Machine] = []
  let directory: TemporaryDirectory

  static func histories(usually count: UInt64) -> UInt64 {
    UInt64(ProcessInfo.processInfo.environment["QUICKVAULT_MERGES"] ?? "") ?? count
  }

  /// Makes a vault on the first machine; the others join.
  ///
  /// - Parameter prepare: is given the first machine with its vault locked, before it synchronises.
  init(count: Int, preparing prepare: (Machine) throws -> Void = { _ in }) async throws {
    directory = try TemporaryDirectory()
    for number in 0..<count { all.append(try Machine("machine \(number)", in: directory)) }
    try await all[0].vault.create().lock(.request)
    try prepare(all[0])
    try await all[0].edit { _ = try await $0.enableSync(UserPath(all[0].folder), machine: "machine 0") }
    for machine in all.dropFirst() { try await join(machine) }
  }

  private func join(_ machine: Machine) async throws {
    try carry()
    let session = machine.vault.session()
    _ = try await session.joinSync(UserPath(machine.folder), password: TestVault.password, machine: "another")
    session.lock(.request)
  }

  /// Adds a machine, which joins.
  mutating func join() async throws {
    all.append(try Machine("machine \(all.count)", in: directory))
    try await join(all[all.count - 1])
  }

  subscript(number: Int) -> Machine { all[number] }

  /// The vault's directories below the folders, by the paths of files in them.
  func files(of machine: Machine) throws -> Set<String> {
    let paths = FileManager.default.enumerator(atPath: machine.folder)?.compactMap { $0 as? String } ?? []
    return Set(
      paths.filter {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: machine.folder + "/" + $0, isDirectory: &isDirectory)
          && !isDirectory.boolValue
      })
  }

  /// Returns the bytes of the segments that a machine wrote, in its own folder.
  func size(ofStream number: Int) async throws -> Int {
    let replica = try await all[number].edit { try $0.syncStatus().replica }
    return try files(of: all[number]).filter { $0.contains("/changes/\(replica)/") }.reduce(0) { sum, file in
      try sum + Data(contentsOf: URL(filePath: "\(all[number].folder)/\(file)")).count
    }
  }

  /// Returns the machine that writes a file; nil for one that nobody here writes.
  func writer(of file: String) async throws -> Int? {
    for (number, machine) in all.enumerated() {
      let id = try await machine.edit { try $0.syncStatus().replica }
      if file.contains(id.description) { return number }
    }
    return nil
  }

  /// Copies every file to all folders, and removes what its writer removed.
  func carry() throws {
    for source in all {
      for file in try files(of: source) { try copy(file, from: source) }
    }
  }

  func copy(_ file: String, from source: Machine, to targets: [Machine]? = nil) throws {
    for target in targets ?? all where target.folder != source.folder {
      let path = target.folder + "/" + file
      guard !FileManager.default.fileExists(atPath: path) else { continue }
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: source.folder + "/" + file, toPath: path)
    }
  }

  /// Copies what a machine wrote itself to another.
  func carryStream(of source: Machine, to target: Machine) async throws {
    let replica = try await source.edit { try $0.syncStatus().replica.description }
    for file in try files(of: source) where file.contains(replica) {
      try copy(file, from: source, to: [target])
    }
  }

  /// Removes from all folders what its writer does not have any more, then copies the rest: what an engine ends at.
  func mirror() async throws {
    var replicas: [String] = []
    for machine in all {
      replicas.append(try await machine.edit { try $0.syncStatus().replica.description })
    }
    for (number, machine) in all.enumerated() {
      let own = try files(of: machine).filter { $0.contains(replicas[number]) }
      for (other, target) in all.enumerated() where other != number {
        for file in try files(of: target) where file.contains(replicas[number]) {
          let path = target.folder + "/" + file
          if target.folder != machine.folder,
            !own.contains(file)
              || !FileManager.default.contentsEqual(atPath: path, andPath: machine.folder + "/" + file)
          {
            try FileManager.default.removeItem(atPath: path)
          }
        }
        for file in own { try copy(file, from: machine, to: [target]) }
      }
    }
  }

  /// Carries and synchronises until everybody has everything, and nobody publishes anything more.
  func settle() async throws {
    var before: [Set<String>] = []
    for _ in 0..<12 {
      for machine in all { try await machine.synchronize() }
      try await mirror()
      let after = try all.map { try files(of: $0) }
      if after == before { return }
      before = after
    }
    Issue.record("the machines do not come to an end")
  }

  func expectSame(_ comment: Comment? = nil) async throws {
    let first = try await all[0].contents()
    for machine in all.dropFirst() {
      let other = try await machine.contents()
      let (missing, added) = (Set(first).subtracting(other), Set(other).subtracting(first))
      #expect(missing.map { $0.prefix(200) }.sorted() == added.map { $0.prefix(200) }.sorted(), comment)
    }
    for machine in all {
      let others = try await machine.edit { try await $0.synchronize() }.others
      #expect(others.compactMap(\.problem) == [], comment)
      #expect(others.map(\.behind) == others.map { _ in 0 }, comment)
    }
  }
}
