import Foundation
import Testing

@testable import VaultStore

/// Logs that a killed process left, and of which bits or blocks were damaged before the vault is opened.
@Suite("Damaged logs") struct DamagedLogTests {
  private static let header = 32
  private static let frame = 24 + 4_096

  /// A vault beside the log of so many transactions, each of which added a card.
  private struct Killed {
    let directory: TemporaryDirectory
    let file: Data
    let log: Data

    init(cards: ClosedRange<Int64>) throws {
      directory = try TemporaryDirectory()
      let vault = try VaultFile.create(at: directory.vault, with: Sample.content)
      let url = URL(filePath: directory.vault)
      let file = try Data(contentsOf: url)
      for number in cards { try vault.insert([Sample.card(UInt64(number))]) }
      log = try Data(contentsOf: URL(filePath: directory.vault + "-wal"))
      try vault.close()
      self.file = file
    }

    /// Puts the file back as it was before the transactions, with a log beside it, opens and closes it.
    ///
    /// - Returns: the cards that are in the vault.
    func open(with log: Data) throws -> [Int64] {
      for name in try directory.names() {
        try FileManager.default.removeItem(atPath: directory.path + "/" + name)
      }
      try file.write(to: URL(filePath: directory.vault))
      try log.write(to: URL(filePath: directory.vault + "-wal"))
      let vault = try VaultFile.open(at: directory.vault)
      defer { try? vault.close() }
      return try vault.numbers()
    }

    /// The cards in the vault that was saved with what is right in the log.
    func saved() throws -> Set<Int64> {
      let path = directory.vault + StrayLog.nameSuffix
      guard let vault = try? VaultFile.open(at: path) else { return try salvaged(path) }
      defer { try? vault.close() }
      guard try vault.isStructureIntact() else { return try salvaged(path) }
      return Set(try vault.numbers())
    }

    private func salvaged(_ path: String) throws -> Set<Int64> {
      Set(try VaultFile.salvage(at: path) { _ in true }.numbers())
    }

    func kept() throws -> Data? {
      try? Data(contentsOf: URL(filePath: directory.vault + "-wal" + StrayLog.nameSuffix))
    }
  }

  private static func flip(_ log: Data, bit: Int) -> Data {
    var log = log
    log[bit / 8] ^= 1 << (bit % 8)
    return log
  }

  /// Checks logs with one wrong bit each.
  private static func expectOthersKept(_ killed: Killed, bits: some Sequence<Int>) throws {
    for bit in bits {
      let log = Self.flip(killed.log, bit: bit)
      let cards = try killed.open(with: log)
      let saved = try killed.saved()
      // The first transaction may be lost with its frame.
      #expect(saved.union(cards).isSuperset(of: 2...20), "bit \(bit): \(cards), \(saved)")
      #expect(try killed.kept() == log, "bit \(bit)")
    }
  }

  @Test("R14 a bit of a log's header or first frame that is wrong costs none of the other transactions")
  func beginning() throws {
    let killed = try Killed(cards: 1...20)
    #expect(try killed.open(with: killed.log).count == 20)
    #expect(try killed.kept() == nil)
    // One of each byte of both headers, and some of the first page.
    let headers = (0..<Self.header + 24).map { 8 * $0 + $0 % 8 }
    let page = stride(from: 8 * 60, to: 8 * (Self.header + Self.frame), by: 4_999)
    try Self.expectOthersKept(killed, bits: headers + page)
  }

  @Test("R14 no bit of a log's header or first frame costs any of the other transactions")
  func beginningExhaustive() throws {
    try Self.expectOthersKept(try Killed(cards: 1...20), bits: 0..<8 * (Self.header + 24))
  }

  @Test("R14 what precedes a wrong bit of a log is in the vault, and what follows it is saved")
  func middle() throws {
    let killed = try Killed(cards: 1...20)
    let frames = (killed.log.count - Self.header) / Self.frame
    for number in stride(from: 1, to: frames, by: 3) {
      for byte in [0, 4, 9, 17, 24, 900] {
        let log = Self.flip(killed.log, bit: 8 * (Self.header + number * Self.frame + byte) + 3)
        let cards = try killed.open(with: log)
        #expect(cards == Array(1...20).prefix(cards.count).map(Int64.init))
        #expect(try killed.kept() == log)
        let lost = Set<Int64>(1...20).subtracting(try killed.saved().union(cards))
        #expect(lost.count <= 2, "frame \(number), byte \(byte): \(lost)")
      }
    }
  }

  @Test("R14 a log that is nothing of the kind is kept", arguments: [1, 31, 32, 4_152, 1_000_000])
  func noise(_ size: Int) throws {
    let killed = try Killed(cards: 1...2)
    let noise = Data((0..<size).map { _ in UInt8.random(in: 1 ... .max) })
    #expect(try killed.open(with: noise) == [])
    #expect(try killed.kept() == noise)
    #expect(!FileManager.default.fileExists(atPath: killed.directory.vault + StrayLog.nameSuffix))
  }

  @Test("R14 a log that a killed process left incomplete is not damaged")
  func incomplete() throws {
    let killed = try Killed(cards: 1...3)
    for size in [0, 32, 40, 56, 60, Self.header + Self.frame + 24, killed.log.count - 1] {
      _ = try killed.open(with: killed.log.prefix(size))
      #expect(try killed.kept() == nil, "\(size)")
    }
    #expect(try killed.open(with: Data(count: 100_000)) == [])
    #expect(try killed.kept() == nil)
  }

  @Test("R14 frames of before a log was begun anew are not part of it")
  func begunAnew() throws {
    let directory = try TemporaryDirectory()
    let vault = try VaultFile.create(at: directory.vault, with: Sample.content)
    for number in Int64(1)...9 { try vault.insert([Sample.card(UInt64(number))]) }
    _ = try vault.checkpoint(emptiesLog: false)
    try vault.insert([Sample.card(10)])
    let (file, log) = (
      try Data(contentsOf: URL(filePath: directory.vault)),
      try Data(contentsOf: URL(filePath: directory.vault + "-wal"))
    )
    try vault.close()
    let copy = try TemporaryDirectory()
    try file.write(to: URL(filePath: copy.vault))
    try log.write(to: URL(filePath: copy.vault + "-wal"))
    let opened = try VaultFile.open(at: copy.vault)
    #expect(try opened.numbers() == Array(1...10))
    try opened.close()
    #expect(try copy.names() == ["vault.quickvault"])
  }
}
