import Foundation
import Testing

@testable import VaultStore

/// Copies of files that somebody else names.
@Suite("Private copies") struct PrivateCopyTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test("R17 nothing of a file that is no vault is copied, however long it is")
  func header() throws {
    let path = directory.path + "/video.mkv"
    let descriptor = open(path, O_CREAT | O_RDWR, 0o600)
    try #require(descriptor >= 0 && ftruncate(descriptor, 1 << 33) == 0 && close(descriptor) == 0)
    #expect(throws: StoreError.notAVault) {
      _ = try PrivateCopy(of: path, in: directory.path) { done, _ in
        Issue.record("\(done) bytes are copied")
      }
    }
    #expect(try directory.names() == ["video.mkv"])
    #expect(throws: StoreError.notARegularFile) {
      _ = try PrivateCopy(of: directory.path, in: directory.path) { _, _ in }
    }
  }

  @Test("an interrupted copy leaves nothing behind, and a file that this process has open is not copied")
  func stopped() throws {
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    #expect(throws: StoreError.busy) {
      _ = try PrivateCopy(of: directory.vault, in: directory.path) { _, _ in }
    }
    try file.insert((1...4).map { Sample.card($0, size: 1_000_000) })
    try file.close()
    var told: [Int64] = []
    #expect(throws: CancellationError.self) {
      _ = try PrivateCopy(of: directory.vault, in: directory.path) { done, total in
        told.append(done)
        #expect(try total == FileStatus(path: directory.vault).size)
        if told.count == 3 { throw CancellationError() }
      }
    }
    #expect(told == [1 << 20, 2 << 20, 3 << 20])
    #expect(try directory.names() == ["vault.quickvault"])
  }

  @Test(
    "R14 once a copy has its name, nothing else of it is left, while somebody still has it",
    arguments: [true, false])
  func named(replaces: Bool) throws {
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    let copy = try UnfinishedCopy.make(of: file, in: directory.path) { _, _ in }
    let hidden = try #require(unfinished().first)
    // A lock that fails while the file is closed leaves its log.
    try Data().write(to: URL(filePath: "\(directory.path)/\(hidden)-wal"))
    try copy.name("copy.quickvault", replaces: replaces)
    #expect(try unfinished() == [])
    #expect(try directory.names().contains("copy.quickvault"))
    withExtendedLifetime(copy) {}
  }

  @Test("R14 the log of a copy that was changed independently is applied to a private copy")
  func forkedLog() throws {
    let other = directory.path + "/other.quickvault"
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.insert([Sample.card(1)], head: [1])
    try file.close()
    try VaultFile.create(at: other, with: Sample.content).close()
    let copy = try VaultFile.open(at: other)
    for number in 11...13 { try copy.insert([Sample.card(UInt64(number))], head: [UInt8(number)]) }
    try FileManager.default.copyItem(atPath: other + "-wal", toPath: directory.vault + "-wal")
    let made = try PrivateCopy(of: directory.vault, in: directory.path) { _, _ in }
    #expect(try made.open().numbers() == [11, 12, 13])
  }

  private func unfinished() throws -> [String] {
    try directory.names().filter { $0.contains("unfinished") }
  }
}
