import Foundation
import TestSupport
import Testing

/// The real program while another process has SQLite's write lock, or the advisory lock of the directory.
@Suite("A vault that another process uses") struct BusyVaultTests {
  /// Takes the write lock of a vault, and keeps it until its input ends.
  private static let writer = """
    import sqlite3, sys
    connection = sqlite3.connect(sys.argv[1], isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    print("ready", flush=True)
    sys.stdin.read()
    connection.execute("ROLLBACK")
    """
  /// Takes the advisory lock of a directory in the same way.
  private static let locker = """
    import fcntl, os, sys
    fcntl.flock(os.open(sys.argv[1], os.O_RDONLY), fcntl.LOCK_EX)
    print("ready", flush=True)
    sys.stdin.read()
    """
  private static let note = #"{"title":"a","group":"personal","type":"text","fields":{"text":"b"}}"#
  private static let password = #"{"password":"\#(ProgramClient.password)"}"#

  private let directory: TemporaryDirectory
  private var vault: String { directory.appending("vault.quickvault") }

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Starts another process, and waits until it has its lock.
  private func start(_ script: String, _ path: String) throws -> RunningProgram {
    let other = try RunningProgram("/usr/bin/python3", ["-c", script, path])
    try expect(
      try other.channel.message() == "ready", "the other process has the lock: \(other.standardError)")
    return other
  }

  private static func request(_ id: Int, _ method: String, _ parameters: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(parameters)}"#
  }

  /// Sends a request that waits, then a lock, and returns the kind of the first one's error, once the lock is answered too.
  private func kind(of method: String, _ parameters: String, beforeLockOf client: ProgramClient) throws
    -> String
  {
    let channel = client.program.channel
    try channel.send(Self.request(101, method, parameters))
    try channel.send(Self.request(102, "session/lock"))
    var kind = ""
    while true {
      let message = try channel.message()
      if message.contains(#""id":102,"#) {
        try expect(message.contains("result"), message)
        return kind
      }
      guard message.contains(#""id":101,"#) else { continue }
      let object = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any]
      kind = ((object?["error"] as? [String: Any])?["data"] as? [String: Any])?["kind"] as? String ?? message
    }
  }

  @Test("R17 a write and an unlock that wait in vain name the process that holds the lock")
  func holder() async throws {
    try await onThread {
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      let other = try start(Self.writer, vault)
      let holder = #""holder":{"program":"python3","process":\#(other.process)}"#
      for (method, parameters) in [("card/create", Self.note), ("session/unlock", Self.password)] {
        let answer = try client.answer(method, parameters)
        try expect(answer.contains(#""reason":"busy","#) && answer.contains(holder), "\(method): \(answer)")
        try expect(answer.contains("python3 (process \(other.process))"), answer)
      }
      try client.call("session/lock")
      let answer = try client.answer("session/unlock", Self.password)
      try expect(answer.contains(holder), answer)
      try client.call("vault/status")
      _ = try other.finish()
      try client.unlock()
      try client.createNote("after")
      _ = try client.program.finish()
    }
  }

  @Test("R12 a lock does not wait for a request that waits for another process's write")
  func lock() async throws {
    try await onThread {
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      let source = directory.appending("source.csv")
      try "title,text\na,b\n".write(toFile: source, atomically: false, encoding: .utf8)
      let requests = [
        ("card/create", Self.note), ("settings/update", #"{"autoLockSeconds":60}"#),
        ("vault/import", #"{"path":"\#(source)","type":"text","group":"personal"}"#),
        (
          "vault/changePassword",
          #"{"oldPassword":"\#(ProgramClient.password)","newPassword":"another password"}"#
        ),
        ("session/unlock", Self.password),
      ]
      for (method, parameters) in requests {
        let other = try start(Self.writer, vault)
        let kind = try kind(of: method, parameters, beforeLockOf: client)
        try expect(kind == "vault.locked", "\(method): \(kind)")
        _ = try other.finish()
        try client.unlock()
      }
      try expect(try client.call("card/list")["total"] as? Int == 0, "nothing was stored")
      _ = try client.program.finish()
    }
  }

  @Test("R12 SIGTERM does not wait for another process's write either")
  func terminate() async throws {
    try await onThread {
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      let other = try start(Self.writer, vault)
      try client.program.channel.send(Self.request(101, "card/create", Self.note))
      client.program.send(signal: SIGTERM)
      _ = try client.program.finish()
      try expect(!other.hasEnded, "the other process still has the lock")
      _ = try other.finish()
    }
  }

  @Test("R14 a request that waits is done once the other process has ended its write")
  func waiting() async throws {
    try await onThread {
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      let other = try start(Self.writer, vault)
      try client.program.channel.send(Self.request(101, "card/create", Self.note))
      other.channel.closeInput()
      let answer = try client.program.channel.message()
      try expect(answer.contains(#""result":"#), answer)
      _ = try other.exitStatus()
      _ = try client.program.finish()
    }
  }

  @Test("R17 a creation that waits in vain names the process that holds the directory's lock")
  func directoryLock() async throws {
    try await onThread {
      let other = try start(Self.locker, directory.path)
      let client = try ProgramClient(vault: vault)
      let answer = try client.answer("vault/create", Self.password)
      try expect(answer.contains(#""holder":{"program":"python3","process":\#(other.process)}"#), answer)
      try expect(!FileManager.default.fileExists(atPath: vault), "nothing was made")
      let kind = try kind(of: "vault/create", Self.password, beforeLockOf: client)
      try expect(kind == "vault.locked", kind)
      _ = try other.finish()
      try client.createVault()
      _ = try client.program.finish()
    }
  }
}
