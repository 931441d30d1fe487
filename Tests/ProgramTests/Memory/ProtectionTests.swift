import Foundation
import Glibc
import TestSupport
import Testing

/// The protection of the process's memory, and what happens if it fails.
@Suite("Protection") struct ProtectionTests {
  private let directory: TemporaryDirectory
  private let password = "correct horse 电池订书钉"

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test("R10 if the process cannot be replaced at lock, it ends")
  func failingExec() async throws {
    let (directory, password) = (directory, password)
    try await onThread {
      // A program that nobody may execute any more cannot be executed by root either.
      let copy = directory.appending("quickvault")
      // cp(1) copies it: a descriptor of ours, open for writing, could be inherited by another test's program.
      guard try run("/bin/cp", [Repository.program(), copy]).status == 0 else { throw Failure("cp") }
      let client = try ProgramClient(vault: directory.appending("vault.quickvault"), command: [copy])
      try client.createVault(password: password)
      guard chmod(copy, 0o600) == 0 else { throw Failure("chmod: \(errno)") }
      try client.call("session/lock")
      #expect(try client.program.exitStatus() == 71)
      #expect(client.program.standardError.contains("cannot continue after locking"))
    }
  }

  @Test("R10 no core file is written, and the keys are locked in memory")
  func limits() async throws {
    let (directory, password) = (directory, password)
    try await onThread {
      let client = try ProgramClient(vault: directory.appending("vault.quickvault"))
      try client.createVault(password: password)
      let process = "/proc/\(client.program.process)"
      let limits = try String(contentsOfFile: process + "/limits", encoding: .utf8)
      let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
      #expect(core?.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"], "\(limits)")
      let status = try String(contentsOfFile: process + "/status", encoding: .utf8)
      let locked = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") }
      #expect((locked?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) >= 256, "\(status)")
    }
  }

  @Test("R10 an unprivileged process cannot read the program's memory, before and after a lock")
  func notDumpable() async throws {
    let (directory, password) = (directory, password)
    try await onThread {
      // What /proc shows of a process that may not be dumped belongs to root, whoever runs it (proc(5)).
      let copy = directory.appending("quickvault")
      guard try run("/bin/cp", [Repository.program(), copy]).status == 0,
        chmod(copy, 0o755) == 0, chmod(directory.path, 0o777) == 0
      else { throw Failure("cp") }
      let unprivileged = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", copy]
      let client = try ProgramClient(
        vault: directory.appending("own/vault.quickvault"),
        command: geteuid() == 0 ? unprivileged : [copy])
      try client.createVault(password: password)
      let process = client.program.process
      let user = geteuid() == 0 ? 65534 : geteuid()
      for _ in 0..<2 {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        #expect(status.contains("Uid:\t\(user)\t\(user)\t\(user)"), "\(status)")
        for name in ["mem", "maps", "environ"] {
          var information = stat()
          #expect(lstat("/proc/\(process)/\(name)", &information) == 0)
          #expect(information.st_uid == 0, "\(name)")
        }
        try client.call("session/lock")
        try client.call("session/unlock", with: ["password": password])
      }
    }
  }

  @Test("R10 the vault's log says once that memory could not be locked")
  func memoryNotLocked() async throws {
    let (directory, password) = (directory, password)
    try await onThread {
      let limited = ["/bin/sh", "-c", "ulimit -l 0; exec \"$0\" \"$@\"", try Repository.program()]
      let client = try ProgramClient(vault: directory.appending("vault.quickvault"), command: limited)
      try client.createVault(password: password)
      for _ in 0..<2 {
        try client.call("session/lock")
        try client.call("session/unlock", with: ["password": password])
      }
      let items = try client.call("log/list")["items"] as? [[String: Any]] ?? []
      #expect(items.filter { $0["event"] as? String == "memoryNotLocked" }.count == 1, "\(items)")
    }
  }
}
