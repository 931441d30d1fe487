import Foundation
import Glibc
import TestSupport
import Testing

/// The vault's file as seen by somebody with the disk but not the password.
@Suite("The file", .serialized) struct FileTests {
  private static let stored = [
    "Zanzibar lantern", "桑给巴尔灯塔标题", "quokka-tag", "考拉标签", "wombat value in the text", "袋熊的字段值内容",
    "numbat-label",
    "platypus-extra-value", "personal", "company",
  ]

  @Test("R10 No stored text is found in the file, its log or its shared memory, in any encoding")
  func nothingInClear() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      for (title, tag, value) in [(0, 2, 4), (1, 3, 5)].map({
        (Self.stored[$0], Self.stored[$1], Self.stored[$2])
      }) {
        try client.call(
          "card/create",
          #"{"title":"\#(title)","group":"company","type":"text","fields":{"text":"\#(value)"},"tags":["\#(tag)"],"#
            + #""extraFields":[{"label":"numbat-label","value":"platypus-extra-value"}]}"#)
      }
      try client.call("settings/update", #"{"copyTemplates":{"text":"wombat value in the text {text}"}}"#)
      let open = try Self.findings(beside: directory)
      try expect(
        open.files == ["vault.quickvault", "vault.quickvault-shm", "vault.quickvault-wal"], "\(open.files)")
      try expect(open.found.isEmpty, "nothing is found: \(open.found)")
      _ = try client.program.finish()
      let closed = try Self.findings(beside: directory)
      try expect(closed.files == ["vault.quickvault"], "\(closed.files)")
      try expect(closed.found.isEmpty, "nothing is found: \(closed.found)")
    }
  }

  /// The existing files, and the texts of ``stored`` or the password that they contain.
  private static func findings(beside directory: TemporaryDirectory) throws -> (
    files: [String], found: [String]
  ) {
    let files = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    var found: [String] = []
    for file in files {
      let bytes = try Data(contentsOf: URL(filePath: directory.appending(file)))
      for text in stored + [ProgramClient.password] {
        for encoding in [String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian] {
          guard let needle = text.data(using: encoding) else { throw Failure("\(text) has no such encoding") }
          if bytes.range(of: needle) != nil { found.append("\(file): \(text)") }
        }
      }
    }
    return (files, found)
  }

  @Test(
    "R10 By default a guess costs 600,000 iterations, also after a password change")
  func usualKeyDerivation() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      let slots = "SELECT kind, algorithm, iterations FROM slot"
      try client.call("vault/create", with: ["password": ProgramClient.password])
      try expect(try Self.rows(slots, of: vault) == "1|1|600000", try Self.rows(slots, of: vault))
      try client.call(
        "vault/changePassword",
        with: ["oldPassword": ProgramClient.password, "newPassword": "a new password 42"])
      try expect(try Self.rows(slots, of: vault) == "1|1|600000", try Self.rows(slots, of: vault))
    }
  }

  /// What a query finds in the file: columns parted by `|`, a line for each row.
  private static func rows(_ query: String, of vault: String) throws -> String {
    let script = """
      import sqlite3, sys
      rows = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True).execute(sys.argv[2])
      print("\\n".join("|".join(map(str, row)) for row in rows))
      """
    let answer = try run(
      "/usr/bin/python3", ["-c", script, vault, query], environment: ["PATH": "/usr/bin:/bin"])
    guard answer.status == 0 else { throw Failure(answer.error) }
    return answer.output.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test("Only the owner has access to the file and to the directories created for it")
  func modes() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let client = try ProgramClient(vault: directory.appending("a/b/vault.quickvault"))
      try client.createVault()
      try client.createNote("note")
      for (name, mode) in [
        ("a", 0o700), ("a/b", 0o700), ("a/b/vault.quickvault", 0o600), ("a/b/vault.quickvault-wal", 0o600),
        ("a/b/vault.quickvault-shm", 0o600),
      ] {
        var status = stat()
        try expect(stat(directory.appending(name), &status) == 0, "\(name) is there")
        try expect(Int(status.st_mode & 0o777) == mode, "\(name) has the mode \(String(mode, radix: 8))")
      }
    }
  }

  @Test("R17 A file that is not a vault, or of a newer version, is reported and not changed")
  func strangers() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      _ = try client.program.finish()
      let genuine = try Data(contentsOf: URL(filePath: vault))
      var newer = genuine
      newer[63] = 2
      var foreign = genuine
      foreign[68] = 0
      let strangers: [(Data, String)] = [
        (newer, "vault.newerVersion"), (foreign, "vault.notAVault"),
        (Data("a letter".utf8), "vault.notAVault"),
        (Data(), "vault.notAVault"), (genuine.prefix(99), "vault.notAVault"),
      ]
      for (bytes, kind) in strangers {
        try bytes.write(to: URL(filePath: vault))
        let client = try ProgramClient(vault: vault)
        let password = #"{"password":"\#(ProgramClient.password)"}"#
        try expect(try client.kindOfError("vault/status") == kind, kind)
        try expect(try client.kindOfError("session/unlock", password) == kind, kind)
        try expect(try client.kindOfError("vault/create", password) == kind, kind)
        try expect(try client.program.finish().status == 0, "a clean end")
        try expect(try Data(contentsOf: URL(filePath: vault)) == bytes, "the file is as it was")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        try expect(names == ["vault.quickvault"], "nothing is beside it: \(names)")
      }
    }
  }

  @Test("The independent reader finds in a new vault the cards that the program stored")
  func independentReader() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      for card in [
        #"{"title":"家","group":"personal","type":"address","fields":{"name":"王芳","phone":"13800138000","province":"广东省","city":"深圳市","district":"南山区","address":"科技路88号","notes":"a\r\nb"},"tags":["home","家"]}"#,
        #"{"title":"Billing","group":"company","type":"invoice","fields":{"companyName":"Harbor","taxId":"91440300708461136t","address":"88 Keji Road","phone":"0755-26543210","bankName":"HSBC","bankAccount":"7559"},"pinned":true}"#,
        #"{"title":"Note","group":"personal","type":"text","fields":{"text":"\t𠮷\n"},"extraFields":[{"label":"门禁","value":"4711#","concealed":true},{"label":"b","value":""}]}"#,
      ] { try client.call("card/create", card) }
      try client.call(
        "settings/update", #"{"copyTemplates":{"text":"\u0301{text}\r\n\\"},"autoLockSeconds":null}"#)
      let items = try client.call("card/list")["items"] as? [[String: any Sendable]] ?? []
      let expected = try items.map { item -> [String: any Sendable] in
        let card = try client.call("card/get", #"{"id":"\#(item["id"] as? String ?? "")"}"#)["card"]
        return try IndependentReader.form(of: card as? [String: any Sendable] ?? [:])
      }
      try expect(expected.count == 3, "three cards")
      // While the program has the vault open, and after it is closed.
      for isOpen in [true, false] {
        if !isOpen { _ = try client.program.finish() }
        let cards = try IndependentReader.cards(of: vault, password: ProgramClient.password)
        try expect(cards as NSArray == expected as NSArray, "the same cards: \(cards)")
      }
    }
  }
}
