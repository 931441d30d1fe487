import Foundation
import Glibc
import TestSupport
import Testing

/// `quickvault --shared` and `quickvault serve --socket`, as users start them.
@Suite("Shared service", .serialized) struct SharedServiceProgramTests {
  private let shared: SharedVault

  init() throws { shared = try SharedVault() }

  @Test("U the first client starts the service, which others use, and one unlock and one lock are for all")
  func sharing() async throws {
    let shared = shared
    try await onThread {
      let (one, other) = (try shared.client(), try shared.client())
      try one.createVault()
      try other.unlock()
      let process = try shared.service
      for _ in 0..<3 {
        try one.createNote("Note")
        #expect(try other.call("card/list")["total"] as? Int != nil)
        try other.call("session/lock")
        #expect(try one.kindOfError("card/list") == "vault.locked")
        #expect(one.notifications.contains("session/didLock"))
        #expect(try shared.service == process)
        try one.unlock()
        try other.call("card/list")
      }
      for client in [one, other] {
        #expect(try client.program.finish().status == 0)
        #expect(client.program.standardError.isEmpty)
      }
      // No terminal, no directory of its starter, nothing of its environment, and no descriptor of its own.
      let status = shared.status(of: process)
      #expect(status[5] == "\(process)" && status[6] == "0", "a session without a terminal: \(status)")
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
      let variables = try String(contentsOfFile: "/proc/\(process)/environ", encoding: .utf8)
      #expect(!variables.contains("SECRET") && variables.contains("XDG_RUNTIME_DIR"))
      for descriptor in 0...2 {
        let target = try FileManager.default.destinationOfSymbolicLink(
          atPath: "/proc/\(process)/fd/\(descriptor)")
        #expect(target == "/dev/null")
      }
    }
  }

  @Test("U two clients that start the service at once get the same one, 50 times")
  func startingAtOnce() async throws {
    let shared = shared
    try await onThread {
      for round in 0..<50 {
        let clients = [try shared.client(), try shared.client()]
        for client in clients { try client.call("vault/status") }
        let process = try shared.service
        // A process that the service has started bears the service's name until it gets to run.
        try shared.wait("another service runs in round \(round)") { $0 == [process] }
        for client in clients { #expect(try client.program.finish().status == 0) }
        try shared.endService()
      }
    }
  }

  @Test("U what a client sent before its input ended is answered")
  func endOfInput() async throws {
    let (shared, lines) = (shared, Self.requests)
    let result = try await onThread {
      try run(
        try Repository.program(), ["--shared", "--vault", shared.vault], environment: shared.environment,
        input: lines)
    }
    #expect((result.status, result.error) == (0, ""))
    #expect(result.output.split(separator: "\n").count == 150)
  }

  /// Requests whose responses are more than a pipe holds, and less than a pipe and a socket do.
  private static let requests = (0..<150).map {
    #"{"jsonrpc":"2.0","id":\#($0),"method":"vault/status"}"# + "\n"
  }.joined()

  @Test("U the end of a service that nobody uses is not told to a client that reads its answers later")
  func lateReader() async throws {
    let (shared, lines) = (shared, Self.requests)
    try await onThread {
      let program = try RunningProgram(
        try Repository.program(), ["--shared", "--vault", shared.vault], environment: shared.environment)
      try program.channel.write(Array(lines.utf8))
      program.channel.closeInput()
      try shared.wait("the service does not begin") { !$0.isEmpty }
      try shared.wait("the service does not end") { $0.isEmpty }
      #expect(try program.channel.everything().split(separator: "\n").count == 150)
      #expect(try (program.exitStatus(), program.standardError) == (0, ""))
    }
  }

  @Test(
    "U the end of the service is told in the user's language, and the next client starts another",
    arguments: [("C", "has ended unexpectedly"), ("zh_CN.UTF-8", "意外结束")])
  func death(_ locale: String, _ words: String) async throws {
    let shared = shared
    try await onThread {
      for isInputOpen in [true, false] {
        let client = try shared.client(locale: locale)
        try client.call("vault/status")
        let process = try shared.service
        kill(process, SIGSTOP)
        if !isInputOpen { client.program.channel.closeInput() }
        kill(process, SIGKILL)
        #expect(try client.program.exitStatus() == 1)
        #expect(client.program.standardError.contains(words), "\(client.program.standardError)")
        #expect(client.program.standardError.contains("\(process)"))
      }
      let next = try shared.client()
      try next.call("vault/status")
      #expect(try next.program.finish().status == 0)
    }
  }

  @Test("U the relay and the inspector may use few system calls, and nobody can inspect the relay")
  func confinement() async throws {
    let shared = shared
    try await onThread {
      let probe = try run(Repository.built() + "/sandbox-probe", ["copying"])
      let outcomes = probe.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
      #expect(outcomes.count == 10 && outcomes.prefix(2).allSatisfy { $0[1] == "0" }, "\(probe)")
      #expect(outcomes.dropFirst(2).allSatisfy { $0[1] == "\(EPERM)" }, "\(probe)")

      let client = try shared.client()
      try client.call("vault/status")
      func isConfined(_ process: pid_t) throws -> Bool {
        let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        return status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1")
      }
      #expect(try isConfined(client.program.process))
      // The service does not wait for its inspector to begin.
      let deadline = Deadline.usual
      while try shared.inspectors().filter(isConfined).count != 1 {
        try expect(deadline.milliseconds > 0, "there is no inspector in a sandbox")
        poll(nil, 0, 2)
      }
      let limits = try String(contentsOfFile: "/proc/\(client.program.process)/limits", encoding: .utf8)
      #expect(limits.contains(/Max core file size +0 +0/))
    }
  }

  @Test("U a client that leaves ends its connection, and the service goes on")
  func leaving() async throws {
    let shared = shared
    try await onThread {
      let (one, other) = (try shared.client(), try shared.client())
      try one.createVault()
      try other.unlock()
      other.program.send(signal: SIGKILL)
      _ = try other.program.exitStatus()
      let deadline = Deadline.usual
      while (try one.call("client/list")["items"] as? [Any])?.count != 1 {
        try expect(deadline.milliseconds > 0, "the client is still listed")
        poll(nil, 0, 5)
      }
      try one.call("card/list")
    }
  }

  @Test("U a second service ends at once, and systemd's socket is used and drained")
  func activation() async throws {
    let shared = shared
    try await onThread {
      // As systemd does it: a listening socket is descriptor 3.
      let activate = """
        import os, socket, sys
        # The path is longer than the address of a socket can be.
        directory, name = os.path.split(sys.argv[1])
        os.chdir(directory)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(name)
        listening.listen()
        print("listening", flush=True)
        waiting = socket.socket(socket.AF_UNIX)
        waiting.connect(name)
        os.set_inheritable(waiting.fileno(), False)
        os.dup2(listening.fileno(), 3)
        os.set_inheritable(3, True)  # also if it was 3 before
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
        os.execv(sys.argv[2], sys.argv[2:])
        """
      let program = try Repository.program()
      let arguments = [
        "-c", activate, shared.unitSocket, program, "serve", "--socket", "--vault", shared.vault,
      ]
      mkdir(shared.directory, 0o700)
      let service = try RunningProgram("/usr/bin/python3", arguments, environment: shared.environment)
      #expect(try service.channel.message() == "listening")
      let client = try shared.client()
      try client.createVault()
      #expect(try shared.service == service.process)
      // The socket is that of the service after a lock, too.
      try client.call("session/lock")
      let other = try shared.client()
      try other.unlock()
      #expect(try shared.service == service.process)

      let second = try run(
        program, ["serve", "--socket", "--vault", shared.vault], environment: shared.environment)
      #expect(second.status == 0 && second.error.isEmpty)
      for client in [client, other] { _ = try client.program.finish() }
      service.send(signal: SIGTERM)
      #expect(try service.exitStatus() == 0)
      #expect(FileManager.default.fileExists(atPath: shared.unitSocket), "it is systemd's to remove")

      // A service that systemd starts beside one with a socket of its own ends, and so do the connections that wait.
      unlink(shared.unitSocket)
      let third = try shared.client()
      try third.unlock()
      let again = try run("/usr/bin/python3", arguments, environment: shared.environment)
      #expect(again.status == 0 && again.error.isEmpty, "\(again)")
      try third.call("card/list")
    }
  }

  @Test("A service that cannot start says why, to whoever wanted it")
  func failingStart() async throws {
    let shared = shared
    try await onThread {
      let client = try shared.client()
      try client.call("vault/status")
      _ = try client.program.finish()
      try shared.endService()
      let lock = try shared.lockFile
      try FileManager.default.removeItem(atPath: lock)
      try FileManager.default.createDirectory(atPath: lock, withIntermediateDirectories: false)
      for (locale, words) in [("C", "cannot start the shared service"), ("zh_CN", "无法启动共享服务")] {
        let failed = try shared.client(locale: locale)
        #expect(try failed.program.exitStatus() == 1)
        #expect(failed.program.standardError.contains(words), "\(failed.program.standardError)")
      }
      let service = try run(
        Repository.program(), ["serve", "--socket", "--vault", shared.vault], environment: shared.environment)
      #expect(service.status == 71 && service.error.contains("open: Is a directory"), "\(service)")
    }
  }
}
