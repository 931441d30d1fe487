import Foundation
import Glibc
import SessionSupport
import TestSamples
import Testing
import VaultInterface

@testable import Vault

/// Random changes on several machines, between which an unreliable carrier moves files.
///
/// Every other history is of one card only, which machines with different clocks change all the time: what goes wrong where
/// several conflicts of one card meet is rare with more cards. In some, one clock is fast, or a machine only reads.
struct RandomHistory {
  let seed: UInt64
  private var isOfOneCard: Bool { seed % 2 == 1 }
  /// The step in which a machine makes a new vault key, which the others follow later; nil for none.
  var newKeyAt: Int?

  /// The changes and what the carrier does; `QUICKVAULT_STEPS` for another number.
  private static let steps = ProcessInfo.processInfo.environment["QUICKVAULT_STEPS"].flatMap { Int($0) } ?? 40
  private static let newPassword = "the new password"

  @discardableResult func run() async throws -> Machines {
    var random = SeededGenerator(seed: seed)
    let machines = try await Machines(count: Int.random(in: 2...8, using: &random))
    for number in 0..<(isOfOneCard ? 1 : 4) {
      try await machines[0].edit { try $0.note("card \(number)") }
    }
    if isOfOneCard { try await machines.settle() }
    if seed % 4 == 3 { machines[1].vault.clock.setWall(by: 2 * 86_400_000) }
    let readsOnly = seed % 3 == 0 && machines.all.count > 2 ? machines.all.last : nil
    var written = Written()
    var copies: [String: FolderCopy] = [:]
    for step in 0..<Self.steps {
      let machine = machines.all.randomElement(using: &random) ?? machines[0]
      if step == newKeyAt {
        try await machine.edit { try await $0.rekey(from: TestVault.password, to: Self.newPassword) }
        machine.password.value = Self.newPassword
      }
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<6 where machine.folder != readsOnly?.folder:
        try await change(machine, step, &random, &written)
      case 0...6: try await machine.synchronize()
      case 7: try await machine.rejoin(password: Self.newPassword)
      case 8: copies[machine.folder] = try FolderCopy(of: machine, in: machines)
      case 9: try copies[machine.folder]?.putBack()
      default: try carrySome(machines, &random)
      }
    }
    if newKeyAt != nil {
      // What was damaged at home is published again.
      for machine in machines.all { try await machine.synchronize() }
      try await machines.mirror()
      for machine in machines.all { try await machine.rejoin(password: Self.newPassword) }
    }
    try await machines.settle()
    try await machines.expectSame("seed \(seed)")
    let titles = Set(try await machines[0].titles().map(Written.title))
    #expect(written.present.subtracting(titles) == [], "seed \(seed)")
    return machines
  }

  private func change(
    _ machine: Machine, _ step: Int, _ random: inout SeededGenerator, _ written: inout Written
  ) async throws {
    let choice = Int.random(in: 0..<11, using: &random)
    let pick = Int.random(in: 0..<1_000, using: &random)
    var (generator, known) = (random, written)
    if isOfOneCard {
      machine.vault.clock.setWall(by: 300_000 * Int64.random(in: -1...1, using: &random))
    }
    try await machine.edit { session in
      let cards = try session.allCards(limit: 500).sorted { $0.id < $1.id }
      // Some choices settle a conflict in either way.
      let copies = cards.filter { Written.title($0.title) != $0.title }
      let settled = cards.filter { card in copies.contains { Written.title($0.title) == card.title } }
      let candidates = choice < 8 ? cards : choice == 8 ? settled : copies
      let card = candidates.isEmpty ? nil : candidates[pick % candidates.count]
      if choice >= 8, card == nil { return }
      switch (choice, card) {
      case (0, _) where !isOfOneCard, (_, nil):
        known.write("new \(step)", over: nil)
        try session.note("new \(step)")
      case (1, let card?), (8, let card?), (9, let card?):
        known.write(nil, over: card.title)
        try session.deleteCard(card.id, revision: nil)
      case (2, _): _ = try session.updateSettings([.autoLockSeconds: .seconds(15 + pick)])
      case (3...5, let card?): try Self.changeAttachments(of: card, session, &generator)
      case (_, let card?):
        // Contents that differ in their time only are one.
        let title = pick % 3 == 0 ? "equal \(pick % 2)" : "step \(step)"
        known.write(title, over: card.title)
        _ = try session.updateCard(card.id, revision: nil, CardChange(title: title))
      }
    }
    (random, written) = (generator, known)
  }

  /// Copies some files to some folders, removes or truncates some there, and puts some under another name.
  private func carrySome(_ machines: Machines, _ random: inout SeededGenerator) throws {
    for source in machines.all {
      for file in try machines.files(of: source).sorted() where Bool.random(using: &random) {
        guard let target = machines.all.randomElement(using: &random), target.folder != source.folder else {
          continue
        }
        try machines.copy(file, from: source, to: [target])
        let path = target.folder + "/" + file
        switch Int.random(in: 0..<20, using: &random) {
        case 0: try FileManager.default.removeItem(atPath: path)
        case 1: truncate(path, off_t.random(in: 0..<1_000, using: &random))
        case 2:
          let other = (path as NSString).deletingLastPathComponent + "/0000000000000009"
          try? FileManager.default.copyItem(atPath: path, toPath: other)
        default: break
        }
      }
    }
  }

  private static func changeAttachments(
    of card: Card, _ session: VaultSession, _ random: inout SeededGenerator
  ) throws {
    let attachment = card.attachments.randomElement(using: &random)
    switch (Int.random(in: 0..<4, using: &random), attachment) {
    case (0, let attachment?): try session.deleteAttachment(attachment.id)
    case (1, let attachment?):
      let text = "mark \(Int.random(in: 0..<3, using: &random))"
      _ = try session.setWatermark(Watermark(text: text), of: attachment.id)
    default:
      guard card.attachments.count < 4 else { return }
      let name = "\(Int.random(in: 0..<9, using: &random)).png"
      let content = try #require(PrivateBytes(capacity: 100))
      content.append(Array((name + " content").utf8))
      let draft = AttachmentDraft(
        name: name, mediaType: .png, width: 1, height: 1, watermark: nil, content: content)
      _ = try session.addAttachment(draft, to: card.id)
    }
  }
}

/// What was in a machine's folder at some time.
private struct FolderCopy {
  private let folder: String
  private let files: [String: Data]

  init(of machine: Machine, in machines: Machines) throws {
    folder = machine.folder
    files = try Dictionary(
      uniqueKeysWithValues: machines.files(of: machine).map {
        ($0, try Data(contentsOf: URL(filePath: machine.folder + "/" + $0)))
      })
  }

  /// Makes the folder what it was.
  func putBack() throws {
    for entry in try FileManager.default.contentsOfDirectory(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder + "/" + entry)
    }
    for (file, content) in files {
      let path = URL(filePath: folder + "/" + file)
      try FileManager.default.createDirectory(
        at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
      try content.write(to: path)
    }
  }
}

/// The titles that were written. What nobody replaced must be there in the end.
struct Written {
  private(set) var present: Set<String> = []

  mutating func write(_ title: String?, over old: String?) {
    if let old { present.remove(Self.title(old)) }
    if let title { present.insert(title) }
  }

  /// Returns a title without the notes of conflict copies.
  static func title(_ noted: String) -> String {
    noted.replacingOccurrences(of: " (conflict copy)", with: "")
  }
}
