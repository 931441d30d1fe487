import Foundation
import Glibc
import TestSupport
import Testing

/// Searches the process's memory. The process is not dumpable, so this takes root or CAP_SYS_PTRACE.
@Suite("Memory", .enabled(if: geteuid() == 0, "reading another process's memory takes root"))
struct MemoryTests {
  private let directory: TemporaryDirectory
  private let password = "correct horse 电池订书钉"

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// What a card holds: titles and tags have one word in common that stands nowhere else, values another, so that one
  /// look for each of the two finds any of them.
  private struct Planted {
    static let headWord = "HEAD" + UUID().uuidString.prefix(13)
    static let valueWord = "VALUE" + UUID().uuidString.prefix(13)

    let values: [String]
    let parameters: [String: Any]

    init(_ number: Int) {
      let title = "标题\(number) \(Self.headWord) \(number)"
      values = [
        "\(number)-\(Self.valueWord)-\(number)", "地址 \(number)\(Self.valueWord)",
        "\(Self.valueWord)密\(number)",
      ]
      parameters = [
        "title": title, "group": "personal", "type": "address", "tags": ["tag\(Self.headWord)"],
        "fields": [
          "name": values[0], "phone": "13800138000", "province": "广东省", "city": "深圳市", "district": "南山区",
          "address": values[1],
        ],
        "extraFields": [["label": "PIN", "value": values[2], "concealed": true] as [String: Any]],
      ]
    }
  }

  @Test("R10 after lock no password, key or card is in memory")
  func nothingAfterLock() async throws {
    let (directory, password) = (directory, password)
    try await onThread {
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.call("vault/status")
      let atStart = try Self.descriptors(of: client.program.process)
      try client.createVault(password: password)
      let planted = (0..<50).map(Planted.init)
      let ids = try planted.map { try client.createCard($0.parameters) }
      for (id, card) in zip(ids, planted) {
        try client.call("card/get", with: ["id": id])
        try client.call("card/copy", with: ["id": id])
        try client.call("card/search", with: ["query": card.values[0]])
      }
      let key = try Self.vaultKey(of: vault, password: password)
      let secrets = [password, Planted.headWord, Planted.valueWord]

      let before = try ProcessMemory(of: client.program.process)
      #expect(before.occurrences(of: key) > 0, "the look finds the key of an unlocked vault")
      try client.expectFound(secret: Planted.valueWord, ofCardWith: ids[49])

      try client.call("session/lock")
      try client.call("vault/status")
      let after = try ProcessMemory(of: client.program.process)
      #expect(after.occurrences(of: "quickvault") > 0, "the look finds anything at all")
      #expect(after.occurrences(of: key) == 0)
      for secret in secrets { #expect(after.occurrences(of: secret) == 0, "\(secret)") }
      try Self.expectNothingSurvives(in: client.program.process, secrets: secrets, since: atStart)
    }
  }

  @Test(
    "R10 a card that was listed and searched but not shown is not in memory of the unlocked program"
  )
  func nothingBeforeShown() async throws {
    let (directory, password) = (directory, password)
    try await onThread {
      let vault = directory.appending("vault.quickvault")
      let planted = (0..<50).map(Planted.init)
      let maker = try ProgramClient(vault: vault)
      try maker.createVault(password: password)
      let ids = try planted.map { try maker.createCard($0.parameters) }
      #expect(try maker.program.finish().status == 0)

      let client = try ProgramClient(vault: vault)
      try client.call("session/unlock", with: ["password": password])
      try client.call("card/list")
      try client.call("card/list", with: ["tag": "none"])
      try client.call("card/search", with: ["query": "nothing like it"])
      try client.call("tag/list")
      try client.call("card/conflicts")
      let memory = try ProcessMemory(of: client.program.process)
      #expect(memory.occurrences(of: Planted.valueWord) == 0)

      try client.expectFound(secret: Planted.valueWord, ofCardWith: ids[0])
    }
  }

  @Test(
    "R10 a wrong password, and one changed while the vault was locked, are not in memory"
  )
  func noPasswordWhileLocked() async throws {
    let (directory, password) = (directory, password)
    try await onThread {
      let vault = directory.appending("vault.quickvault")
      let maker = try ProgramClient(vault: vault)
      try maker.createVault(password: password)
      #expect(try maker.program.finish().status == 0)

      let client = try ProgramClient(vault: vault)
      let wrong = "wrong horse \(UUID().uuidString)"
      let new = "new horse \(UUID().uuidString)"
      #expect(throws: Failure.self) { try client.call("session/unlock", with: ["password": wrong]) }
      try client.call("vault/changePassword", with: ["oldPassword": password, "newPassword": new])
      try client.call("vault/status")
      let memory = try ProcessMemory(of: client.program.process)
      for secret in [password, wrong, new] { #expect(memory.occurrences(of: secret) == 0, "\(secret)") }
      try client.call("session/unlock", with: ["password": new])
    }
  }

  /// The vault key, as the independent reader of the format finds it.
  private static func vaultKey(of vault: String, password: String) throws -> Data {
    let script = """
      import sqlite3, sys
      sys.path.insert(0, sys.argv[1])
      import vault_records
      file = sqlite3.connect("file:" + sys.argv[2] + "?mode=ro", uri=True)
      vault, = file.execute("SELECT vault_id FROM vault").fetchone()
      columns = "id, kind, algorithm, iterations, memory_kib, salt, sealed"
      slot = file.execute("SELECT " + columns + " FROM slot WHERE kind = 1").fetchone()
      print(vault_records.open_slot(sys.stdin.readline().rstrip("\\n"), vault, *slot).hex())
      """
    let answer = try run(
      "/usr/bin/python3", ["-c", script, Repository.protocolDirectory.path, vault],
      environment: ["PATH": "/usr/bin:/bin"],
      input: password + "\n")
    let digits = Array(answer.output.trimmingCharacters(in: .whitespacesAndNewlines))
    guard digits.count == 64 else { throw Failure("no key: \(answer.output) \(answer.error)") }
    let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    return Data(bytes)
  }

  /// What a look from outside finds of a process that has locked: its environment, its arguments, its descriptors.
  ///
  /// - Parameter start: the descriptors that it had before there was a vault.
  private static func expectNothingSurvives(
    in process: pid_t, secrets: [String], since start: Set<String>
  ) throws {
    for name in ["environ", "cmdline"] {
      let bytes = try Data(contentsOf: URL(filePath: "/proc/\(process)/\(name)"))
      for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name): \(secret)") }
    }
    let left = try descriptors(of: process).subtracting(start)
    #expect(!left.contains { $0.contains("memfd") }, "the file that carried the unread input is closed")
    #expect(left.allSatisfy { $0.contains("vault.quickvault") || $0.hasPrefix("anon_inode:") }, "\(left)")
  }

  /// What the descriptors of a process lead to.
  private static func descriptors(of process: pid_t) throws -> Set<String> {
    let directory = "/proc/\(process)/fd"
    // A file that a test beside this one had open when the process was started may be deleted meanwhile, and the log renamed.
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
    let targets = names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\($0)")
    }
    return Set(
      targets.map {
        $0.replacingOccurrences(of: " (deleted)", with: "").replacingOccurrences(of: "/log.old", with: "/log")
      })
  }
}
