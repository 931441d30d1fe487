import Foundation
import TestSupport
import Testing

/// The error log of the real program, in its own sandbox.
@Suite("Error log") struct ErrorLogTests {
  /// A line: time, version, source, kind and cause.
  nonisolated(unsafe) private static let line =
    /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \d+\.\d+\.\d+ (-|[\w\/.-]+): [a-z]+\.\w+( \([\w.=\/+ :-]+\))?(, \d+ times within a second)?/

  private let home: TemporaryDirectory
  private var log: String { home.appending("state/quickvault/log") }
  private var environment: [String: String] {
    [
      "HOME": home.path, "XDG_STATE_HOME": home.appending("state"), "LANG": "C.UTF-8",
      "PATH": "/usr/bin:/bin",
    ]
  }

  init() throws {
    home = try TemporaryDirectory()
  }

  private func client(_ vault: String = "vault.quickvault") throws -> ProgramClient {
    try ProgramClient(vault: home.appending(vault), environment: environment)
  }

  private func lines() throws -> [String] {
    try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test("R17 each error is logged with its kind, method, cause and place; expected refusals are not")
  func entries() async throws {
    try await onThread {
      let client = try client()
      try client.createVault()
      try expect(access(log, F_OK) != 0, "nothing has failed")
      _ = try client.answer("card/get", #"{"id":1}"#)
      _ = try client.answer("no/method")
      try client.program.channel.send("{]")
      _ = try client.program.channel.message()
      try client.program.channel.send(#"{"jsonrpc":"1.0","id":1,"method":"card/list"}"#)
      _ = try client.program.channel.message()
      _ = try client.answer(
        "attachment/export", #"{"id":"00000000-0000-4000-8000-000000000000","path":"/proc/x"}"#)
      _ = try client.answer(
        "vault/export", #"{"path":"/proc/self/x","format":"json","password":"\#(ProgramClient.password)"}"#)
      _ = try client.answer("session/unlock", #"{"password":"wrong password"}"#)
      _ = try client.call("session/lock")
      _ = try client.answer("card/list")
      let lines = try lines()
      for line in lines { try expect(line.wholeMatch(of: Self.line) != nil, "\(line)") }
      let texts = lines.map { $0.split(separator: " ").dropFirst(2).joined(separator: " ") }
      try expect(
        texts.prefix(5) == [
          "card/get: rpc.invalidParameters (ParameterError.identifier)", "-: rpc.methodNotFound",
          "-: rpc.parseError", "-: rpc.invalidRequest (MessageError.version)",
          "attachment/export: attachment.notFound",
        ], "\(texts)")
      try expect(
        texts[5].wholeMatch(
          of: /vault\/export: file.\w+( \(FileError.\w+ errno=\d+ Vault\/UserFiles.swift:\d+\))?/)
          != nil,
        "\(texts)")
      try expect(texts.dropFirst(6) == ["session/unlock: auth.wrongPassword"], "a locked vault is no error")
      let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
      try expect(mode == 0o600, "mode \(mode ?? 0)")
      _ = try client.program.finish()
    }
  }

  @Test("R17 an error of SQLite is logged with its code, the system's, the file and the line")
  func sqlite() async throws {
    try await onThread {
      // A limit on the size of files, in units of 512 bytes, is as good as a full disk. The thread sanitizer maps a file of its own,
      // of half a mebibyte.
      let limited = [
        "/bin/sh", "-c", #"ulimit -f 3000; exec "$0" "$@""#, try Repository.program(),
      ]
      let client = try ProgramClient(
        vault: home.appending("vault.quickvault"), command: limited, environment: environment)
      try client.createVault()
      let text = String(repeating: "x", count: 90_000)
      let card = #"{"title":"a","group":"personal","type":"text","fields":{"text":"\#(text)"}}"#
      var answer = ""
      for _ in 0..<40 where !answer.contains("error") { answer = try client.answer("card/create", card) }
      try expect(answer.contains("diskFull"), "\(answer)")
      let line = try lines().last ?? ""
      try expect(
        line.contains(
          /card\/create: vault\.unavailable \(StoreError\.diskFull sqlite=\d+ errno=27 VaultStore\/[\w+]+\.swift:\d+\)/
        ),
        line)
      _ = try client.program.finish()
    }
  }

  @Test("R17 no secret of a conversation is in the log or in the report, whatever fails")
  func secrets() async throws {
    try await onThread {
      let mark = "k7Qsecret"
      // Some of the requests write files, relative to the working directory.
      let inHome = ["/bin/sh", "-c", #"cd "$0" && exec "$@""#, home.path, try Repository.program()]
      let client = try ProgramClient(
        vault: home.appending("\(mark).quickvault"), command: inHome, environment: environment)
      try client.createVault()
      let names = [
        "password", "oldPassword", "newPassword", "id", "title", "group", "type", "fields", "tags", "query",
        "path",
        "format", "field", "template", "cursor", "limit", "text", "name", "content", "confirm", "card", mark,
      ]
      let methods = try client.call("rpc.discover")["methods"] as? [[String: any Sendable]] ?? []
      try expect(methods.count > 30, "\(methods.count)")
      var count = 0
      for method in methods.compactMap({ $0["name"] as? String })
      where !["session/lock", "initialize", "shutdown", "exit"].contains(method) {
        for value in [#""\#(mark)""#, #"["\#(mark)"]"#, #"{"\#(mark)":"\#(mark)"}"#] {
          for name in names {
            count += try client.answer(method, #"{"\#(name)":\#(value)}"#).contains("error") ? 1 : 0
          }
        }
        _ = try client.answer(method + mark)
      }
      _ = try client.answer(
        "card/create",
        #"{"title":"\#(mark)","group":"personal","type":"invoice","fields":{"taxId":"\#(mark)"}}"#)
      _ = try client.answer("vault/merge", #"{"path":"/tmp/\#(mark)","password":"\#(mark)"}"#)
      _ = try client.answer("vault/import", #"{"path":"/proc/\#(mark)","format":"json"}"#)
      for text in ["{\"\(mark)", "[\"\(mark)\"]", #"{"jsonrpc":"2.0","id":"\#(mark)"}"#] {
        try client.program.channel.send(text)
        _ = try client.program.channel.message()
      }
      try expect(count > 500, "the requests fail")
      try expect(try lines().count > 500, "they are logged")
      _ = try client.program.finish()
      let report = try run(
        Repository.program(), ["doctor", "--report", "--vault", home.appending("v")], environment: environment
      )
      for text in [try String(contentsOfFile: log, encoding: .utf8), report.output] {
        try expect(!text.contains(mark), "a secret")
      }
      for line in try lines() { try expect(line.wholeMatch(of: Self.line) != nil, "\(line)") }
    }
  }

  @Test("R17 two processes that fail as fast as they can keep whole lines and the bound")
  func twoProcesses() async throws {
    // Nearly full.
    let line = "2026-11-22T06:15:39.436Z 0.2.0 -: rpc.methodNotFound\n"
    try FileManager.default.createDirectory(
      atPath: home.appending("state/quickvault"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data(String(repeating: line, count: (1 << 19) / line.utf8.count - 20).utf8).write(
      to: URL(filePath: log))
    let programs = try (0..<2).map { try client("vault-\($0)").program }
    try await withThrowingTaskGroup { group in
      for program in programs {
        nonisolated(unsafe) let program = program
        group.addTask {
          try await onThread {
            let request = #"{"jsonrpc":"2.0","id":1,"method":"no/method"}"#
            let batch = "[" + Array(repeating: request, count: 9_000).joined(separator: ",") + "]"
            try program.channel.send(batch)
            _ = try program.channel.message()
            _ = try program.finish()
          }
        }
      }
      try await group.waitForAll()
    }
    let files = try [log, log + ".old"].map { try String(contentsOfFile: $0, encoding: .utf8) }
    #expect(files[0].utf8.count + files[1].utf8.count <= 1 << 20)
    for line in files.joined().split(separator: "\n") {
      #expect(line.wholeMatch(of: Self.line) != nil, "\(line)")
    }
  }

  @Test("R17 an error that is repeated without end takes few lines, and its count is in the log")
  func flood() async throws {
    try await onThread {
      let client = try client()
      let request = #"{"jsonrpc":"2.0","id":1,"method":"no/method"}"#
      let batch = "[" + Array(repeating: request, count: 9_000).joined(separator: ",") + "]"
      try client.program.channel.send(batch)
      _ = try client.program.channel.message()
      _ = try client.answer("card/get", #"{"id":1}"#)
      _ = try client.program.finish()
      let lines = try lines()
      for line in lines { try expect(line.wholeMatch(of: Self.line) != nil, "\(line)") }
      // A second may have ended in between: its errors are counted apart.
      let counts = try lines.compactMap { line in
        try #/, (\d+) times within a second/#.firstMatch(in: line).flatMap { Int($0.1) }
      }
      try expect(lines.count < 9_000 && (counts.max() ?? 0) > 100, "\(lines.count) lines, \(counts)")
      try expect(lines.contains { $0.contains("card/get: rpc.invalidParameters") }, "other errors")
    }
  }

  @Test("R17 a log that cannot be written fails no request")
  func unwritable() async throws {
    try await onThread {
      let environment = environment.merging(["XDG_STATE_HOME": "/dev/null"]) { $1 }
      let client = try ProgramClient(vault: home.appending("vault.quickvault"), environment: environment)
      try client.createVault()
      try expect(try client.kindOfError("card/get", #"{"id":1}"#) == "rpc.invalidParameters", "answered")
      _ = try client.call("card/list")
      _ = try client.program.finish()
    }
  }

  @Test(
    "R17 the report has versions, findings and the last 50 errors in both languages, with ~ for the home directory"
  )
  func report() async throws {
    try await onThread {
      let arguments = ["doctor", "--report", "--vault", home.appending("vault.quickvault")]
      let empty = try run(Repository.program(), arguments, environment: environment)
      try expect(empty.output.contains("No errors are logged."), "\(empty)")
      let client = try client()
      try client.createVault()
      for _ in 0..<60 { _ = try client.answer("card/get", #"{"id":1}"#) }
      _ = try client.program.finish()
      let english = try run(Repository.program(), arguments, environment: environment)
      for text in [
        "quickvault 0.", "SQLite: 3.", "libgcrypt: 1.", "Kernel: Linux", "~/vault.quickvault", "review",
      ] {
        try expect(english.output.contains(text), "\(text): \(english.output)")
      }
      try expect(!english.output.contains(home.path), "\(english.output)")
      let errors = english.output.split(separator: "\n").filter { $0.wholeMatch(of: Self.line) != nil }
      try expect(errors.count == 50, "\(errors.count)")
      let chinese = try run(
        Repository.program(), arguments, environment: environment.merging(["LANG": "zh_CN.UTF-8"]) { $1 })
      try expect(chinese.output.contains("最近的错误") && chinese.output.contains("card/get"), "\(chinese.output)")
      let other = try run(
        Repository.program(), arguments, environment: environment.merging(["HOME": home.path + "x"]) { $1 })
      try expect(
        other.output.contains(home.appending("vault.quickvault")), "another directory is not shortened")
    }
  }
}
