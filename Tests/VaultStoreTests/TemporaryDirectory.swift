import Foundation
import Testing
import Wire

@testable import VaultStore

/// A temporary directory, deleted with the object.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "vault-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The path of the vault under test.
  var vault: String { path + "/vault.quickvault" }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}

/// Content without meaning: the store sees sealed bytes only.
enum Sample {
  static let vaultID = Identifier(high: 1, low: 2)
  static let slot = SlotRow(
    id: Identifier(high: 3, low: 4), kind: 1, algorithm: 1, iterations: 600_000, memoryKiB: 0,
    salt: [UInt8](repeating: 6, count: 16), sealed: [UInt8](repeating: 7, count: 48))
  static let content = InitialContent(
    vault: VaultRow(vaultID: vaultID, head: [1, 2, 3]), slots: [slot],
    documents: [DocumentRow(name: "settings", revision: 1, sealed: [9, 9])])

  static func card(_ high: UInt64, revision: Int64 = 1, size: Int = 500) -> CardRow {
    CardRow(
      id: Identifier(high: high, low: ~high), revision: revision,
      sealed: [UInt8](repeating: UInt8(truncatingIfNeeded: high), count: size))
  }

  /// Settings that give up waiting soon, for tests of being busy.
  static let impatient = ConnectionSettings(busyTimeoutMilliseconds: 50)
}

extension VaultFile {
  /// Inserts cards as a caller does: with the next head.
  func insert(_ cards: [CardRow], head: [UInt8] = [4, 5, 6]) throws {
    try write { transaction in
      for card in cards { try transaction.insertCard(card) }
      try transaction.putHead(head, generation: transaction.read.vault().generation + 1)
    }
  }

  func numbers() throws -> [Int64] {
    var numbers: [Int64] = []
    try read { try $0.forEachCard { number, _, _, _ in numbers.append(number) } }
    return numbers
  }
}

/// What must stay the same of a file that is left untouched.
struct Footprint: Equatable {
  let bytes: Data
  let modified: [Int]
  let mode: UInt32

  init(_ path: String) throws {
    bytes = try Data(contentsOf: URL(filePath: path))
    var status = stat()
    try #require(stat(path, &status) == 0)
    modified = [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    mode = status.st_mode
  }
}

/// Runs a script with Debian's Python and its sqlite3 module, an independent SQLite client.
func python(_ script: String, _ arguments: String...) throws -> Process {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/python3")
  process.arguments = ["-c", script] + arguments
  process.standardOutput = Pipe()
  process.standardInput = Pipe()
  try process.run()
  return process
}

/// Waits for the line that a script prints when it is so far; throws when it does not come in a time that is long enough for a
/// busy machine.
func waitForLine(_ process: Process) throws -> String {
  let pipe = try #require(process.standardOutput as? Pipe)
  let descriptor = pipe.fileHandleForReading.fileDescriptor
  var line: [UInt8] = []
  while line.last != UInt8(ascii: "\n") {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&ready, 1, 240_000) == 1)
    var byte: UInt8 = 0
    try #require(read(descriptor, &byte, 1) == 1)
    line.append(byte)
  }
  return String(decoding: line.dropLast(), as: UTF8.self)
}

/// Runs a script to its end and requires that it succeeded.
func runPython(_ script: String, _ arguments: String...) throws {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/python3")
  process.arguments = ["-c", script] + arguments
  try process.run()
  process.waitUntilExit()
  try #require(process.terminationStatus == 0)
}

/// Undoes the step of the format that gives a vault transaction IDs.
func removeTransactionIDs(_ path: String) throws {
  try runPython(
    """
    import sqlite3, sys
    c = sqlite3.connect(sys.argv[1], isolation_level=None)
    for column in ("previous_transaction_id", "transaction_id"):
        c.execute("ALTER TABLE vault DROP COLUMN " + column)
    c.execute("DELETE FROM migration WHERE position >= 5")
    c.close()
    """, path)
}

func mode(of path: String) throws -> UInt32 {
  var status = stat()
  try #require(stat(path, &status) == 0)
  return status.st_mode & 0o777
}
