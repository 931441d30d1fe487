import Foundation
import TestSupport
import Testing

/// What the vault process gives up, tried by a program that it starts as a helper.
@Suite("Sandbox") struct SandboxTests {
  private static let probe = "sandbox-probe"
  private static let allowed = [
    "socket-unix", "socketpair-unix", "thread", "move-file", "execute-itself", "limit-itself",
    "processors-itself", "priority-itself",
  ]
  /// What the kernel must fail with EPERM, whoever asks.
  private static let denied = [
    "socket-inet", "socket-inet6", "socket-netlink", "ptrace", "process_vm_readv", "unshare",
    "clone-namespace", "type-into-terminal", "pidfd_getfd", "setns", "mount", "open_by_handle_at", "bpf",
    "perf_event_open", "userfaultfd", "io_uring_setup", "keyctl", "personality", "limit-outside",
    "processors-outside", "priority-outside", "priority-of-user",
  ]

  /// A directory with the probe under the name of a helper.
  private struct Helpers {
    private let directory: TemporaryDirectory
    let path: String

    init() throws {
      directory = try TemporaryDirectory()
      path = directory.path
      let copied = try run(
        "/bin/cp", [Repository.built() + "/" + SandboxTests.probe, path + "/quickvault-desktop"])
      try #require(copied.status == 0, "\(copied)")
    }

    /// Waits for what the probe reported, an error number for each attempt, and removes it.
    func results() throws -> [String: Int32] {
      let file = path + "/quickvault-desktop.results"
      let deadline = Deadline.usual
      while !FileManager.default.fileExists(atPath: file) {
        try expect(deadline.milliseconds > 0, "the probe was not started")
        poll(nil, 0, 5)
      }
      let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
      try FileManager.default.removeItem(atPath: file)
      return try Dictionary(
        uniqueKeysWithValues: lines.map { line in
          let words = line.split(separator: " ")
          return (String(words[0]), try #require(Int32(words[1])))
        })
    }
  }

  private static func check(_ results: [String: Int32]) throws {
    for name in allowed { try expect(results[name] == 0, "\(name): \(results)") }
    for name in denied { try expect(results[name] == EPERM, "\(name): \(results)") }
    #if arch(x86_64)
      try expect(results["other-architecture"] == 1_000 + SIGSYS, "\(results)")
    #endif
    let version = results["landlock-version"] ?? 0
    if version >= 2 { try expect(results["execute-other"] == EACCES, "\(results)") }
    if version >= 6 { try expect(results["signal-outside"] == EPERM, "\(results)") }
  }

  private static func status(of process: pid_t) throws -> [String: String] {
    let text = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    return Dictionary(
      text.split(separator: "\n").map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (String(parts[0]), parts.last?.trimmingCharacters(in: .whitespaces) ?? "")
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test(
    "R10 the process and its helpers have no network, no other programs and no other processes, also after a lock"
  )
  func served() async throws {
    try await onThread {
      let helpers = try Helpers()
      let vault = try TemporaryDirectory()
      let client = try ProgramClient(
        vault: vault.appending("vault.quickvault"),
        command: [Repository.program(), "--helpers", helpers.path])
      try client.createVault()
      for _ in 0..<3 {
        let status = try Self.status(of: client.program.process)
        try expect(status["Seccomp"] == "2" && status["NoNewPrivs"] == "1", "\(status)")
        // A process that replaces itself does not add another layer.
        try expect(["1", nil].contains(status["Seccomp_filters"]), "\(status)")
        _ = try client.answer("biometric/status")
        try Self.check(try helpers.results())
        try client.call("session/lock")
      }
    }
  }

  @Test("R10 the doctor runs in the same sandbox, and reports it")
  func examined() async throws {
    try await onThread {
      let helpers = try Helpers()
      let report = try run(Repository.program(), ["doctor", "--helpers", helpers.path])
      try expect(report.output.contains("ok     Sandbox of the process: Landlock, seccomp"), "\(report)")
      try Self.check(try helpers.results())
    }
  }

  @Test("The attempts succeed without the sandbox")
  func control() async throws {
    try await onThread {
      let helpers = try Helpers()
      _ = try run(helpers.path + "/quickvault-desktop", [])
      let results = try helpers.results()
      let certain = [
        "socket-inet", "process_vm_readv", "execute-other", "personality", "signal-outside", "limit-outside",
        "processors-outside",
      ]
      for name in Self.allowed + certain { try expect(results[name] == 0, "\(name): \(results)") }
      for name in ["type-into-terminal", "pidfd_getfd", "setns", "keyctl", "io_uring_setup"] {
        try expect(results[name] != EPERM, "\(name): \(results)")
      }
    }
  }

  @Test("R10 on a kernel without Landlock and seccomp the vault works, and says so")
  func unsupported() async throws {
    try await onThread {
      let program = try Repository.program()
      let probe = try Repository.built() + "/" + Self.probe
      let directory = try TemporaryDirectory()
      let client = try ProgramClient(
        vault: directory.appending("vault.quickvault"), command: [probe, "without", program, "--verbose"])
      try client.createVault()
      for name in ["landlock", "seccomp"] {
        let line = "not sandboxed: \(name): Function not implemented"
        try expect(client.program.standardError.contains(line), "\(client.program.standardError)")
      }
      let report = try run(probe, ["without", program, "doctor", "--helpers", directory.path])
      let line = "note   Sandbox of the process: not supported by this kernel: landlock, seccomp"
      try expect(report.output.contains(line), "\(report)")
      try expect(report.status == 0, "which is no failure: \(report)")
    }
  }
}
