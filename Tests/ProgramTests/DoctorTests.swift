import Foundation
import TestSupport
import Testing

/// `quickvault doctor` in an environment that a test prepared.
@Suite("Doctor", .serialized) struct DoctorTests {
  private struct Line: Equatable {
    var state: String
    var found: String
    var advice: String?
  }

  /// The results of the doctor in JSON, by key, and its exit status.
  private static func examine(
    _ arguments: [String], _ environment: [String: String]
  ) throws -> (lines: [String: Line], isOK: Bool, status: Int32) {
    let result = try run(Repository.program(), ["doctor", "--json"] + arguments, environment: environment)
    try expect(result.error.isEmpty, "nothing on standard error: \(result.error)")
    let report = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    var lines: [String: Line] = [:]
    for finding in report?["findings"] as? [[String: Any]] ?? [] {
      let key = try #require(finding["key"] as? String)
      let found = try #require(finding["found"] as? [String: String])
      let advice = finding["advice"] as? [String: String]
      for words in [found, finding["subject"] as? [String: String] ?? [:]] + (advice.map { [$0] } ?? []) {
        try expect(
          words["en"]?.isEmpty == false && words["zh-Hans"]?.isEmpty == false, "both languages: \(key)")
      }
      try expect(lines[key] == nil, "\(key) is there once")
      lines[key] = Line(
        state: finding["state"] as? String ?? "", found: found["en"] ?? "", advice: advice?["en"])
    }
    return (lines, report?["ok"] as? Bool ?? false, result.status)
  }

  private static func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test("A vault without problems is ok; one that other users can access is a problem, with advice")
  func vault() async throws {
    try await onThread {
      let home = try TemporaryDirectory()
      let directory = home.appending(".local/share/quickvault")
      let path = directory + "/vault.quickvault"
      let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
      let none = try Self.examine([], environment).lines
      try expect(none["vault.file"]?.state == "missing" && none["vault.permissions"] == nil, "\(none)")
      try ProgramClient(vault: path).createVault()
      let good = try Self.examine([], environment).lines
      try expect(good["vault.file"] == Line(state: "ok", found: path), "\(good)")
      try expect(good["vault.permissions"] == Line(state: "ok", found: "0600"), "\(good)")
      try expect(good["vault.directory"] == Line(state: "ok", found: "\(directory), 0700"), "\(good)")

      try Self.setMode(0o644, of: path)
      try Self.setMode(0o777, of: directory)
      let bad = try Self.examine([], environment)
      try expect(!bad.isOK && bad.status == 1, "it is reported as a problem")
      try expect(bad.lines["vault.permissions"]?.state == "failed", "\(bad)")
      try expect(bad.lines["vault.permissions"]?.advice == "chmod 600 '\(path)'", "\(bad)")
      try expect(bad.lines["vault.directory"]?.advice == "chmod 700 '\(directory)'", "\(bad)")

      try Self.setMode(0o600, of: path)
      try Self.setMode(0o700, of: directory)
      try "no vault".write(toFile: path, atomically: false, encoding: .utf8)
      let other = try Self.examine([], environment)
      try expect(other.status == 1 && other.lines["vault.file"]?.state == "failed", "\(other)")
      try expect(try String(contentsOfFile: path, encoding: .utf8) == "no vault", "and is left alone")
    }
  }

  @Test("R14 a conflict copy and an orphaned log are problems, with words how to merge them")
  func conflicts() async throws {
    try await onThread {
      let home = try TemporaryDirectory()
      let path = home.appending("vault.quickvault")
      try ProgramClient(vault: path).createVault()
      let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
      let clean = try Self.examine(["--vault", path], environment).lines
      try expect(clean["vault.copies"] == nil && clean["vault.logs"] == nil, "\(clean)")
      let (copy, log) = (home.appending("vault (conflicted copy 1).quickvault"), path + "-wal-stray")
      try FileManager.default.copyItem(atPath: path, toPath: copy)
      try "log".write(toFile: log, atomically: false, encoding: .utf8)
      let found = try Self.examine(["--vault", path], environment)
      try expect(found.status == 1, "\(found)")
      try expect(found.lines["vault.copies"]?.found == copy, "\(found)")
      try expect(found.lines["vault.copies"]?.advice?.contains("qv merge") == true, "\(found)")
      try expect(found.lines["vault.logs"]?.found == log, "\(found)")
    }
  }

  @Test(
    "A vault of an older program is checked and not changed, nor are its permissions; a damaged one is reported"
  )
  func untouched() async throws {
    try await onThread {
      let home = try TemporaryDirectory()
      let path = home.appending("vault.quickvault")
      let golden = Repository.protocolDirectory.appending(path: "golden/version-1.quickvault").path
      try FileManager.default.copyItem(atPath: golden, toPath: path)
      try Self.setMode(0o644, of: path)
      let lines = try Self.examine(["--vault", path], ["HOME": home.path]).lines
      try expect(lines["vault.file"] == Line(state: "ok", found: path), "\(lines)")
      try expect(lines["vault.permissions"]?.found.hasPrefix("0644") == true, "\(lines)")
      try expect(
        FileManager.default.contentsEqual(atPath: path, andPath: golden), "the file is as it was")
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      try expect(mode == 0o644, "its permissions are unchanged")
      try expect(
        try FileManager.default.contentsOfDirectory(atPath: home.path) == ["vault.quickvault"], "alone")

      let file = try FileHandle(forUpdating: URL(filePath: path))
      try file.seek(toOffset: 4_096)
      try file.write(contentsOf: Data(count: 8_192))
      try file.close()
      let damaged = try Self.examine(["--vault", path], ["HOME": home.path])
      try expect(damaged.status == 1 && damaged.lines["vault.file"]?.state == "failed", "\(damaged)")
    }
  }

  @Test("Versions are reported; memory and swap agree with the system's data")
  func system() async throws {
    try await onThread {
      let home = try TemporaryDirectory()
      let lines = try Self.examine([], ["HOME": home.path]).lines
      try expect(lines["program"]?.found.wholeMatch(of: /quickvault \d+\.\d+\.\d+/) != nil, "\(lines)")
      try expect(lines["sqlite"]?.found.wholeMatch(of: /3\.\d+\.\d+/) != nil, "\(lines)")
      try expect(lines["libgcrypt"]?.found.wholeMatch(of: /1\.\d+\.\d+.*/) != nil, "\(lines)")
      let kernel = try String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)
      try expect(
        lines["kernel"]?.found == "Linux " + kernel.trimmingCharacters(in: .whitespacesAndNewlines),
        "\(lines)")
      try expect(lines["memory.protection"] == Line(state: "ok", found: "disabled"), "\(lines)")
      let areas = try String(contentsOfFile: "/proc/swaps", encoding: .utf8).split(separator: "\n")
        .dropFirst()
      try expect((lines["swap"]?.found == "off") == areas.isEmpty, "\(lines)")
      try expect(lines["memory.lock"]?.state == "ok" || lines["memory.lock"]?.advice != nil, "\(lines)")
    }
  }

  @Test("The clipboard program is the one for the kind of session")
  func clipboard() async throws {
    try await onThread {
      let home = try TemporaryDirectory()
      let programs = home.appending("programs")
      try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: true)
      func clipboard(_ session: [String: String]) throws -> Line? {
        try Self.examine([], ["HOME": home.path, "PATH": programs].merging(session) { $1 }).lines["clipboard"]
      }
      try expect(try clipboard([:])?.state == "missing", "no session, no clipboard")
      try expect(try clipboard(["DISPLAY": ":0"])?.advice == "apt install xclip", "X11 without")
      try expect(
        try clipboard(["WAYLAND_DISPLAY": "w"])?.advice == "apt install wl-clipboard", "Wayland without")
      try writeProgram("#!/bin/sh\n", to: programs + "/xsel")
      try expect(try clipboard(["DISPLAY": ":0"]) == Line(state: "ok", found: "xsel"), "X11 with xsel")
      try expect(try clipboard(["WAYLAND_DISPLAY": "w"])?.state == "failed", "xsel is not for Wayland")
      for name in ["wl-copy", "wl-paste"] { try writeProgram("#!/bin/sh\n", to: "\(programs)/\(name)") }
      try expect(
        try clipboard(["WAYLAND_DISPLAY": "w"]) == Line(state: "ok", found: "wl-copy"), "Wayland with")
    }
  }

  @Test("R17 Helpers are found or reported as missing, and the desktop program's states are described")
  func helpers() async throws {
    try await onThread {
      let home = try TemporaryDirectory()
      let environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
      let helpers = home.appending("helpers")
      try FileManager.default.createDirectory(atPath: helpers, withIntermediateDirectories: true)
      let without = try Self.examine(["--helpers", helpers], environment)
      for key in ["imaging", "desktop", "fingerprint", "keychain", "session"] {
        try expect(without.lines[key]?.state == "missing", "\(key): \(without)")
      }
      try expect(without.status == 0 && without.isOK, "a missing helper is no failure")
      let fonts = "/usr/share/poppler/cMap"
      let popplerData =
        FileManager.default.fileExists(atPath: fonts)
        ? Line(state: "ok", found: fonts)
        : Line(
          state: "missing",
          found: "not installed: you cannot attach Chinese PDFs that do not embed their fonts",
          advice: "install the package poppler-data")
      try expect(without.lines["popplerData"] == popplerData, "\(without)")

      // A script stands in for the desktop program, because this machine may have no desktop.
      // The doctor may execute nothing but helpers, so their interpreter is one.
      let shell = helpers + "/sh"
      try expect(try run("/bin/cp", ["/bin/sh", shell]).status == 0, "cp")
      try writeProgram("#!\(shell)\n", to: helpers + "/quickvault-imaging")
      let status =
        #"{"jsonrpc":"2.0","id":1,"result":{"fingerprint":{"state":"notEnrolled","reader":"Reader"},"#
        + #""keychain":{"state":"serviceMissing","package":"gnome-keyring"},"session":{"state":"ready","id":"c1"}}}"#
      try writeProgram(
        "#!\(shell)\nread -r line; printf '%s\\n' '\(status)'; read -r line\n",
        to: helpers + "/quickvault-desktop")
      let with = try Self.examine(["--helpers", helpers], environment)
      try expect(
        with.lines["imaging"] == Line(state: "ok", found: helpers + "/quickvault-imaging"), "\(with)")
      try expect(with.lines["fingerprint"]?.found == "no fingerprint is enrolled", "\(with)")
      try expect(with.lines["fingerprint"]?.advice?.contains("fprintd-enroll") == true, "\(with)")
      try expect(with.lines["keychain"]?.advice == "apt install gnome-keyring", "\(with)")
      try expect(with.lines["session"] == Line(state: "ok", found: "available"), "\(with)")

      try writeProgram("#!\(shell)\nexit 1\n", to: helpers + "/quickvault-desktop")
      let silent = try Self.examine(["--helpers", helpers], environment)
      try expect(silent.status == 1 && silent.lines["session"]?.state == "failed", "\(silent)")
    }
  }

  @Test("The report is in the user's language, without colour")
  func languages() async throws {
    try await onThread {
      let home = try TemporaryDirectory()
      let arguments = ["doctor", "--vault", home.appending("none"), "--helpers", home.path]
      let english = try run(Repository.program(), arguments, environment: ["LANG": "en_GB.UTF-8"])
      try expect(english.output.contains("ok     SQLite: 3."), "\(english.output)")
      try expect(english.output.contains("note   quickvault-imaging: not installed"), "\(english.output)")
      try expect(english.output.contains("\n       → apt install quickvault-imaging"), "\(english.output)")
      let chinese = try run(Repository.program(), arguments, environment: ["LANG": "zh_CN.UTF-8"])
      try expect(chinese.output.contains("正常  SQLite：3."), "\(chinese.output)")
      try expect(chinese.output.contains("提示  保险库："), "\(chinese.output)")
      try expect(!(english.output + chinese.output).contains("\u{1B}"), "no escape sequences")
      let misuse = try run(Repository.program(), ["--json"])
      try expect(
        misuse.status == 64 && misuse.error.contains("--json can only be used with doctor"), "\(misuse)")
    }
  }
}
