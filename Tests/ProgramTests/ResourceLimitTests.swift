import Foundation
import Glibc
import TestSupport
import Testing

/// Limits on a process that another program of the user sets (prlimit(2)).
@Suite("Limits from outside", .serialized) struct ResourceLimitTests {
  private static let other: uid_t = 64_871

  @Test(
    "R12 U without a descriptor to wait with, a process ends rather than stay unlocked",
    arguments: [false, true])
  func descriptors(isShared: Bool) async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let shared = try SharedVault()
      let client = try isShared ? shared.client() : ProgramClient(vault: directory.appending("v"))
      try client.createVault()
      let process = try isShared ? shared.service : client.program.process
      // poll(2) fails with EINVAL from now on.
      let limited = try run("/usr/bin/prlimit", ["--pid", "\(process)", "--nofile=1:1"])
      try #require(limited.status == 0, "\(limited.error)")
      // The relay of a service ends when the service has.
      let status = try client.program.exitStatus()
      if !isShared { #expect(status == 128 + SIGKILL) }
    }
  }

  @Test(
    "U without threads, the program answers or ends",
    .enabled(if: geteuid() == 0, "the limit is not for root"),
    arguments: 1...8)
  func threads(limit: Int) async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let program = directory.appending("quickvault")
      guard try run("/bin/cp", [Repository.program(), program]).status == 0, chmod(program, 0o755) == 0,
        chmod(directory.path, 0o777) == 0
      else { throw Failure("cp") }
      let command = [
        "/usr/bin/prlimit", "--nproc=\(limit)", "/usr/bin/setpriv", "--reuid=\(Self.other)",
        "--regid=\(Self.other)", "--clear-groups", program,
      ]
      let client = try ProgramClient(vault: directory.appending("own/v"), command: command)
      try client.program.channel.send(#"{"jsonrpc":"2.0","id":1,"method":"vault/status"}"#)
      guard let answer = try client.program.channel.next() else {
        #expect(try client.program.exitStatus() == 71)
        return
      }
      #expect(answer.contains(#""exists":false"#), "\(answer)")
      _ = try client.program.finish()
    }
  }
}
