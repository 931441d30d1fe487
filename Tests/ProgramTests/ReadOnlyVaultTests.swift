import Foundation
import Glibc
import TestSupport
import Testing

/// A file system in memory that only one program sees. Commands over a FIFO fill it up and empty it again.
private struct Medium {
  let directory: TemporaryDirectory

  /// - Parameter vault: the file that is copied onto it.
  init(_ vault: String) throws {
    directory = try TemporaryDirectory()
    try FileManager.default.copyItem(atPath: vault, toPath: directory.appending("source"))
    guard mkdir(directory.appending("medium"), 0o700) == 0,
      mkfifo(directory.appending("control"), 0o600) == 0, mkfifo(directory.appending("reply"), 0o600) == 0
    else { throw Failure("mkdir: \(errno)") }
  }

  private static let prepare = """
    cd "$1"; program=$2; shift 2
    mount -t tmpfs -o size=1m,mode=700 tmpfs medium
    cp source medium/vault
    fill() { dd if=/dev/zero of=medium/filler bs=4096 2>"$PWD/dd" || true; }
    obey() {
      while read -r command <control; do
        case $command in fill) fill ;; free) rm medium/filler ;; end) exit ;; esac
        ls -m medium >reply
      done
    }
    obey </dev/null >/dev/null 2>&1 &
    """

  /// Starts the program on the vault of the medium, after a command of the shell.
  func client(after command: String) throws -> ProgramClient {
    let script = Self.prepare + "\n" + command + "\n" + #"exec "$program" "$@""#
    return try ProgramClient(
      vault: "\(directory.path)/medium/vault",
      command: ["/usr/bin/unshare", geteuid() == 0 ? "-m" : "-rm", "/bin/sh", "-ec", script, "sh"]
        + [directory.path, Repository.program()],
      environment: ["PATH": "/usr/bin:/bin", "XDG_STATE_HOME": "\(directory.path)/medium/state"])
  }

  /// Fills the medium, or frees it again; any other command only looks at it.
  ///
  /// - Returns: the names of its files.
  @discardableResult func command(_ name: String) throws -> String {
    let script = #"cd "$0" && echo "$1" >control && [ "$1" = end ] || cat reply"#
    let (output, error, status) = try run("/bin/sh", ["-c", script, directory.path, name])
    guard status == 0 else { throw Failure("\(name): \(error)") }
    return output
  }

  /// Whether this user may mount file systems in a namespace.
  static let isAvailable =
    (try? run("/usr/bin/unshare", [geteuid() == 0 ? "-m" : "-rm", "/bin/true"]).status) == 0
}

/// R14 Reading needs no writing: vaults on real media that cannot be written.
@Suite("Vaults that can only be read") struct ReadOnlyVaultTests {
  private static let password = ProgramClient.password

  /// Makes a vault with a card in a directory, and a backup of it beside.
  private static func makeVault(in directory: TemporaryDirectory) throws {
    let client = try ProgramClient(vault: directory.appending("vault"))
    try client.createVault()
    try client.createNote("one")
    try client.call("vault/backup", with: ["path": directory.appending("backup")])
    _ = try client.program.finish()
  }

  private static func unlock(_ client: ProgramClient) throws -> [String: any Sendable] {
    try client.call("session/unlock", with: ["password": password])
  }

  /// Three wrong passwords start a wait, in this process.
  private static func expectAttemptsCount(_ client: ProgramClient) throws {
    for left in [2, 1, 0] {
      let answer = try client.answer("session/unlock", #"{"password":"wrong password"}"#)
      #expect(
        answer.contains(#""kind":"auth.wrongPassword""#) && answer.contains(#""attemptsLeft":\#(left)"#))
    }
    let kind = try client.kindOfError("session/unlock", #"{"password":"\#(password)"}"#)
    #expect(kind == "auth.lockedOut")
    let lockout = try client.call("vault/status")["lockout"] as? [String: any Sendable]
    #expect(lockout?["failedAttempts"] as? Int == 3)
  }

  /// Everything that reads works, and everything that writes is `vault.readOnly`.
  private static func expectReadOnly(_ client: ProgramClient, exportsTo place: TemporaryDirectory) throws {
    #expect(try client.call("vault/status")["readOnly"] as? Bool == true)
    let answer = try unlock(client)
    #expect(answer["readOnly"] as? Bool == true)
    #expect(answer["integrity"] as? String == "intact")
    #expect(try client.call("vault/status")["readOnly"] as? Bool == true)
    let cards = try client.call("card/list")["items"] as? [[String: any Sendable]]
    let id = try #require(cards?.first?["id"] as? String)
    #expect(try client.call("card/search", #"{"query":"one"}"#)["total"] as? Int == 1)
    try client.call("card/get", with: ["id": id])
    try client.call("card/copy", with: ["id": id])
    try client.call("log/list")
    #expect(try client.call("vault/verify")["integrity"] as? String == "intact")
    try client.call("vault/backup", with: ["path": place.appending("copy")])
    try client.call(
      "vault/export", with: ["path": place.appending("cards"), "format": "json", "password": password])

    let note = #"{"title":"a","group":"personal","type":"text","fields":{"text":"a"}}"#
    for (method, parameters) in [
      ("card/create", note), ("card/delete", #"{"id":"\#(id)","revision":1}"#),
      ("card/setPinned", #"{"id":"\#(id)","pinned":true}"#),
      ("settings/update", #"{"autoLockSeconds":60}"#),
      ("vault/merge", #"{"path":"\#(place.appending("copy"))","password":"\#(password)"}"#),
      ("vault/repair", "{}"),
      ("vault/changePassword", #"{"oldPassword":"\#(password)","newPassword":"\#(password)!"}"#),
      ("vault/delete", #"{"password":"\#(password)","confirm":"vault"}"#),
    ] {
      let answer = try client.answer(method, parameters)
      #expect(answer.contains(#""kind":"vault.readOnly""#), "\(method): \(answer)")
    }
    try client.call("session/lock")
    #expect(try unlock(client)["readOnly"] as? Bool == true)
  }

  @Test(
    "R14 a vault and a backup on a read-only file system are read",
    .enabled(if: Medium.isAvailable, "mounting"),
    arguments: ["vault", "backup"])
  func readOnlyFileSystem(_ name: String) async throws {
    try await onThread {
      let place = try TemporaryDirectory()
      try Self.makeVault(in: place)
      for check in [Self.expectAttemptsCount, { try Self.expectReadOnly($0, exportsTo: place) }] {
        let medium = try Medium(place.appending(name))
        let client = try medium.client(after: "mount -o remount,ro medium")
        try check(client)
        try medium.command("end")
        #expect(try client.program.finish().status == 0)
        unlink(place.appending("copy"))
        unlink(place.appending("cards"))
      }
    }
  }

  @Test(
    "R14 a vault on a full disk is read, and written after the next unlock once there is room",
    .enabled(if: Medium.isAvailable, "mounting"))
  func fullDisk() async throws {
    try await onThread {
      let place = try TemporaryDirectory()
      try Self.makeVault(in: place)
      let medium = try Medium(place.appending("vault"))
      let client = try medium.client(after: "fill")
      try Self.expectReadOnly(client, exportsTo: place)
      try medium.command("free")
      #expect(try Self.unlock(client)["readOnly"] == nil)
      try client.createNote("two")
      #expect(try client.call("vault/status")["readOnly"] == nil)
      try medium.command("end")
      #expect(try client.program.finish().status == 0)
    }
  }

  @Test(
    "R11 R14 when the disk of an open vault is full, attempts count in the process, and it goes on when there is room",
    .enabled(if: Medium.isAvailable, "mounting"))
  func filledMeanwhile() async throws {
    try await onThread {
      let place = try TemporaryDirectory()
      try Self.makeVault(in: place)
      let medium = try Medium(place.appending("vault"))
      let client = try medium.client(after: ":")
      #expect(try client.call("vault/status")["readOnly"] == nil)
      try medium.command("fill")
      let wrong = try client.answer("session/unlock", #"{"password":"wrong password"}"#)
      #expect(wrong.contains(#""attemptsLeft":2"#))
      #expect(try Self.unlock(client)["readOnly"] as? Bool == true)
      let full = try client.answer(
        "card/create", #"{"title":"a","group":"personal","type":"text","fields":{"text":"a"}}"#)
      #expect(full.contains(#""reason":"diskFull""#))
      #expect(try client.call("card/list")["total"] as? Int == 1)
      try medium.command("free")
      try client.createNote("two")
      #expect(try client.call("vault/status")["readOnly"] == nil)
      try client.call("session/lock")
      try medium.command("fill")
      try Self.expectAttemptsCount(client)
      try medium.command("end")
      #expect(try client.program.finish().status == 0)
    }
  }

  @Test(
    "R14 a repair that finds no room for the new file leaves no copy of the damaged file",
    .enabled(if: Medium.isAvailable, "mounting"))
  func repairWithoutRoom() async throws {
    try await onThread {
      let place = try TemporaryDirectory()
      let vault = place.appending("vault")
      let maker = try ProgramClient(vault: vault)
      try maker.createVault()
      // The file and its copy fit on the medium, and a third does not.
      for number in 0..<4 { try maker.createNote("\(number)", String(repeating: "a", count: 100_000)) }
      let lost = try maker.createNote("lost")
      _ = try maker.program.finish()
      try deleteCard(lost, from: vault)
      let medium = try Medium(vault)
      let client = try medium.client(after: ":")
      let parameters = #"{"password":"\#(Self.password)"}"#
      for _ in 0..<2 {
        let answer = try client.answer("vault/repair", parameters)
        #expect(answer.contains(#""reason":"diskFull""#), "\(answer)")
        #expect(try !medium.command("look").contains("damaged"))
      }
      #expect(try Self.unlock(client)["integrity"] as? String == "damaged")
      try medium.command("end")
      #expect(try client.program.finish().status == 0)
    }
  }

  private func deleteCard(_ id: String, from vault: String) throws {
    let script = """
      import sqlite3, sys, uuid
      vault = sqlite3.connect(sys.argv[1])
      vault.execute("DELETE FROM card WHERE id = ?", [uuid.UUID(sys.argv[2]).bytes])
      vault.commit()
      vault.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      """
    let done = try run(
      "/usr/bin/python3", ["-c", script, vault, id], environment: ["PATH": "/usr/bin:/bin"])
    guard done.status == 0 else { throw Failure(done.error) }
  }

  @Test("R14 a vault whose file and directory this user may not write is read")
  func withoutRights() async throws {
    try await onThread {
      let (directory, place) = (try TemporaryDirectory(), try TemporaryDirectory())
      let copy = directory.appending("quickvault")
      guard try run("/bin/cp", [Repository.program(), copy]).status == 0, chmod(copy, 0o755) == 0,
        chmod(directory.path, 0o777) == 0, chmod(place.path, 0o777) == 0
      else { throw Failure("cp") }
      let unprivileged = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy]
      let (own, vault) = (directory.appending("own"), directory.appending("own/vault"))
      func client() throws -> ProgramClient {
        try ProgramClient(vault: vault, command: geteuid() == 0 ? unprivileged : [copy])
      }
      let first = try client()
      try first.createVault()
      try first.createNote("one")
      _ = try first.program.finish()
      for (file, directory) in [(0o400, 0o700), (0o600, 0o500)] as [(mode_t, mode_t)] {
        guard chmod(vault, file) == 0, chmod(own, directory) == 0 else { throw Failure("chmod") }
        let reader = try client()
        try Self.expectReadOnly(reader, exportsTo: place)
        _ = try reader.program.finish()
        unlink(place.appending("copy"))
        unlink(place.appending("cards"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: own) == ["vault"])
      }
      chmod(own, 0o700)
    }
  }
}
