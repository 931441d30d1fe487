import Foundation
import TestSupport
import Testing

/// Whether this user may mount file systems: a container without the right cannot hide a file of the system.
private let mayMount: Bool = {
  let status = try? run("/usr/bin/unshare", ["-m", "true"]).status
  return geteuid() == 0 && status == 0
}()

/// SQLite's locks are all that keeps the next process from taking itself for the last, which removes the log under this one.
@Suite("Own locks", .serialized) struct OwnLocksTests {
  /// Whether another process sees locks on the vault and on the memory that its users share.
  private static func isLocked(_ vault: String) throws -> Bool {
    let script = """
      import fcntl, struct, sys
      for name in sys.argv[1:]:
          with open(name, "rb") as file:
              lock = fcntl.fcntl(file, fcntl.F_GETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0))
          if struct.unpack("hhqqi4x", lock)[0] == fcntl.F_UNLCK: sys.exit(1)
      """
    let result = try run("/usr/bin/python3", ["-c", script, vault, vault + "-shm"])
    guard result.status < 2, result.error.isEmpty else { throw Failure(result.error) }
    return result.status == 0
  }

  private static func check(_ command: [String]) throws {
    let directory = try TemporaryDirectory()
    let vault = directory.appending("vault.quickvault")
    let client = try ProgramClient(vault: vault, command: command)
    try client.createVault()
    let card = try client.createNote("one")
    try expect(try isLocked(vault), "an open vault is locked")
    for (name, ending) in [("link", ""), ("memory", "-shm"), ("log", "-wal")] {
      try FileManager.default.createSymbolicLink(
        atPath: directory.appending(name), withDestinationPath: vault + ending)
    }
    let password = #""password":"\#(ProgramClient.password)""#
    let requests = [
      ("vault/backup", #"{"path":"\#(directory.path)","keep":1}"#), ("vault/verify", "{}"),
      ("vault/repair", "{}"), ("session/unlock", "{\(password)}"), ("vault/status", "{}"),
    ]
    let files = ["vault.quickvault", "vault.quickvault-shm", "vault.quickvault-wal", "link", "memory", "log"]
    let others = files.flatMap { name in
      let path = #""path":"\#(directory.appending(name))""#
      return [
        ("vault/merge", "{\(path),\(password)}"), ("vault/import", #"{\#(path),"format":"csv"}"#),
        ("attachment/add", #"{\#(path),"cardId":"\#(card)"}"#),
        ("vault/backup", #"{\#(path),"overwrite":true}"#),
        ("vault/export", #"{\#(path),\#(password),"format":"csv","overwrite":true}"#),
      ]
    }
    for (method, parameters) in requests + others {
      let answer = try client.answer(method, parameters)
      try expect(try isLocked(vault), "\(method) \(parameters): \(answer)")
    }
    // What is answered as stored is there when the next one has come and gone.
    let other = try ProgramClient(vault: vault)
    try other.unlock()
    _ = try other.program.finish()
    try client.createNote("two")
    client.program.send(signal: SIGKILL)
    _ = try client.program.exitStatus()
    let last = try ProgramClient(vault: vault)
    try last.unlock()
    try expect(try last.call("card/list")["total"] as? Int == 2, "what was answered is there")
  }

  @Test("R14 a process keeps its locks on an open vault, whatever the requests")
  func kept() async throws {
    try await onThread { try Self.check([Repository.program()]) }
  }

  @Test(
    "R14 it keeps them if the system does not list locks, too",
    .enabled(if: mayMount, "mounting needs root and CAP_SYS_ADMIN"))
  func keptUnlisted() async throws {
    try await onThread {
      let script = #"mount --bind /dev/null /proc/locks && exec "$0" "$@""#
      try Self.check(["/usr/bin/unshare", "-m", "sh", "-c", script, Repository.program()])
    }
  }
}
