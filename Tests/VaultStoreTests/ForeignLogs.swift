import Foundation
import Testing

@testable import VaultStore

/// What the vault's row says in a log that was not written for the vault.
enum ForeignLogRow: String {
  /// The first transaction is that after the vault's last.
  case next
  /// The first transaction comes after another one.
  case stranger
  /// Neither the log nor the vault has IDs of transactions.
  case older
}

/// A vault of generation 1, and beside it a log that nobody uses and that sets another.
func vault(withLogOf generation: Int64, as row: ForeignLogRow = .stranger) throws -> TemporaryDirectory {
  let directory = try TemporaryDirectory()
  try VaultFile.create(at: directory.vault, with: Sample.content).close()
  if row == .older {
    try runPython(
      """
      import sqlite3, sys
      c = sqlite3.connect(sys.argv[1], isolation_level=None)
      c.execute("UPDATE vault SET transaction_id = NULL")
      c.close()
      """, directory.vault)
  }
  try directory.leaveLog(generations: [generation], as: row)
  return directory
}

extension TemporaryDirectory {
  /// Leaves a log beside the vault that nobody uses and that was written for a copy.
  func leaveLog(
    generations: [Int64], as row: ForeignLogRow = .stranger, pageSize: Int = 4_096
  ) throws {
    try runPython(
      """
      import os, shutil, sqlite3, sys
      path, made, row = sys.argv[1], sys.argv[1] + ".made", sys.argv[4]
      shutil.copy(path, made)
      c = sqlite3.connect(made, isolation_level=None)
      if int(sys.argv[3]) != c.execute("PRAGMA page_size").fetchone()[0]:
          for command in "PRAGMA journal_mode = DELETE", "PRAGMA page_size = " + sys.argv[3], "VACUUM":
              c.execute(command)
          c.execute("PRAGMA journal_mode = WAL")
      c.execute("PRAGMA wal_autocheckpoint = 0")
      last = None if row == "older" else c.execute("SELECT transaction_id FROM vault").fetchone()[0]
      if row == "stranger": last = bytes(16)
      for generation in sys.argv[2].split():
          new = None if row == "older" else os.urandom(16)
          c.execute("UPDATE vault SET generation = ?, transaction_id = ?, previous_transaction_id = ?",
                    (int(generation), new, last))
          last = new
      shutil.copy(made + "-wal", path + "-wal")
      c.close()
      os.unlink(made)
      """, vault, generations.map { "\($0)" }.joined(separator: " "), "\(pageSize)", row.rawValue)
  }
}

/// A file with small pages, so that the vault's row continues on other pages, and the log of what was done since.
func longRow(
  in directory: TemporaryDirectory, _ changes: (VaultFile) throws -> Void
) throws -> (file: Data, log: Data, after: Data) {
  try VaultFile.create(at: directory.vault, with: Sample.content).close()
  try runPython(
    """
    import sqlite3, sys
    c = sqlite3.connect(sys.argv[1], isolation_level=None)
    for command in "journal_mode = DELETE", "page_size = 512": c.execute("PRAGMA " + command)
    c.execute("VACUUM")
    c.execute("PRAGMA journal_mode = WAL")
    c.close()
    """, directory.vault)
  let older = try VaultFile.open(at: directory.vault)
  try older.insert([Sample.card(1)], head: longHead(1))
  try older.close()
  let url = URL(filePath: directory.vault)
  let before = try Data(contentsOf: url)
  let file = try VaultFile.open(at: directory.vault)
  try changes(file)
  let log = try Data(contentsOf: URL(filePath: directory.vault + "-wal"))
  try file.close()
  return (before, log, try Data(contentsOf: url))
}

func longHead(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 1_700) }
