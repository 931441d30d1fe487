import CLinux
import Foundation
import TestSupport
import Testing

@testable import Wire

/// What the kernel says of processes.
@Suite struct PeerProcessTests {
  @Test("The status of a process is read, whatever its name")
  func status() throws {
    let rest = "S 12 40 39 34819 -1 4194560 " + (0..<12).map(String.init).joined(separator: " ") + " 777 0 0"
    for name in ["cat", "a b", "a) S 1 (b", "", "))((", "名"] {
      let status = try #require(ProcessStatus("99 (\(name)) \(rest)\n"))
      #expect(status.commandName == name)
      #expect((status.parent, status.session, status.terminalNumber) == (12, 39, 34_819))
      #expect(status.startTime == 777 && !status.isEnding)
    }
    #expect(try #require(ProcessStatus("9 (a) Z\(rest.dropFirst())")).isEnding)
    let exiting = "S 12 40 39 0 -1 4194564 " + (0..<15).map(String.init).joined(separator: " ")
    #expect(try #require(ProcessStatus("9 (a) \(exiting)")).isEnding)
    for text in ["", "9 (a", "9 a) S 1", "9 (a) S 1 2 3", ")(", "9 (a) S x \(rest.dropFirst(4))"] {
      #expect(ProcessStatus(text) == nil)
    }
  }

  @Test("A process lives while its id and start time are the same")
  func life() throws {
    let child = try RunningProgram("/bin/cat")
    let facts = try #require(ProcessFacts(of: Int(child.process)))
    #expect(facts.identity.isAlive && facts.executable?.hasSuffix("cat") == true && facts.name == "cat")
    #expect(facts.parent == Int(getpid()) && !facts.isRelay)
    let other = ProcessIdentity(process: facts.identity.process, startTime: facts.identity.startTime - 1)
    #expect(!other.isAlive)
    child.send(signal: SIGKILL)
    _ = try child.exitStatus()
    #expect(!facts.identity.isAlive)
    #expect(ProcessFacts(of: facts.identity.process) == nil)
    #expect(ProcessFacts(of: 0) == nil && ProcessFacts(of: -1) == nil)
  }

  @Test("Behind a relay, which is this program itself, is the program that started it")
  func relay() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { ends.forEach { close($0) } }
    let peer = try PeerProcess(of: ends[0])
    #expect(peer.user == geteuid())
    #expect(peer.process.identity.process == Int(getpid()) && peer.process.isRelay)
    #expect(peer.owner.process == Int(getppid()) || peer.program == peer.process)
    #expect(throws: PeerProcess.Failure.otherUser(geteuid())) {
      try PeerProcess(of: ends[0], expecting: geteuid() + 1)
    }
  }

  @Test("A process has the session of its terminal, or none without a terminal")
  func terminal() async throws {
    let script = """
      import os, pty, sys, time
      process, terminal = pty.fork()
      if process == 0:
          print(os.ttyname(0), flush=True)
          sys.stdin.readline()
      else:
          name = os.read(terminal, 100).decode().strip()
          print(process, name, flush=True)
          sys.stdin.readline()
      """
    try await onThread {
      let child = try RunningProgram("/usr/bin/python3", ["-c", script])
      let words = try child.channel.message().split(separator: " ")
      try #require(words.count == 2, "\(words)")
      let process = try #require(Int(words[0]))
      let facts = try #require(ProcessFacts(of: process))
      let terminal = try #require(facts.terminal)
      #expect(terminal.leader == facts.identity)
      #expect(terminal.name == words[1])
      #expect(try TerminalSession.read(terminal.json, at: "") == terminal)
      _ = try child.finish()
    }
  }

  @Test("U The processes that started one are known, the nearest first")
  func ancestors() throws {
    let script =
      "import os, sys\nprint(os.getpid(), flush=True) if os.fork() == 0 else os.wait()\nsys.stdin.readline()"
    let child = try RunningProgram("/usr/bin/python3", ["-c", script])
    let process = try #require(Int(try child.channel.message()))
    let facts = try #require(ProcessFacts(of: process))
    #expect(facts.ancestors.prefix(2).map(\.process) == [Int(child.process), Int(getpid())])
    #expect(facts.ancestors.count <= 16)
    child.send(signal: SIGKILL)
    kill(pid_t(process), SIGKILL)
  }

  /// A program with a session in a terminal, whose number it writes: one that the system has, or one of this number in a file system
  /// of its own.
  private func terminal(forged number: Int? = nil) throws -> (program: RunningProgram, facts: ProcessFacts) {
    let script = """
      import ctypes, fcntl, os, struct, subprocess, sys, tempfile, termios
      if len(sys.argv) > 1:
          place = tempfile.mkdtemp()
          subprocess.run(["mount", "-t", "devpts", "-o", "newinstance,ptmxmode=0666", "none", place], check=True)
      else:
          place = "/dev/pts"
      while True:
          main = os.open(place + "/ptmx" if len(sys.argv) > 1 else "/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
          fcntl.ioctl(main, 0x40045431, struct.pack("i", 0))
          number = struct.unpack("I", fcntl.ioctl(main, 0x80045430, struct.pack("I", 0)))[0]
          if len(sys.argv) == 1 or number == int(sys.argv[1]):
              break
      if os.fork() == 0:
          os.setsid()
          fcntl.ioctl(os.open(f"{place}/{number}", os.O_RDWR | os.O_NOCTTY), termios.TIOCSCTTY, 0)
          print(os.getpid(), number, flush=True)
      sys.stdin.readline()
      """
    let arguments = ["-c", script] + (number.map { ["\($0)"] } ?? [])
    let program =
      try number == nil
      ? RunningProgram("/usr/bin/python3", arguments)
      : RunningProgram("/usr/bin/unshare", ["-Urm", "/usr/bin/python3"] + arguments)
    let words = try program.channel.message().split(separator: " ")
    let process = try #require(words.first.flatMap { Int($0) })
    return (program, try #require(ProcessFacts(of: process)))
  }

  @Test(
    "U A terminal has no certain name while another one, in a file system of its own, has the same number",
    .enabled(if: canMount))
  func forgedTerminal() async throws {
    try await onThread {
      let real = try terminal()
      let session = try #require(real.facts.terminal)
      #expect(session.hasCertainName)
      let number = try #require(session.name.split(separator: "/").last.flatMap { Int($0) })
      let forged = try terminal(forged: number)
      let other = try #require(forged.facts.terminal)
      #expect(other.name == session.name && other != session)
      #expect(!other.hasCertainName && !session.hasCertainName)
      // One that the system does not have.
      let absent = try terminal(forged: number + 40)
      #expect(absent.facts.terminal?.name == "/dev/pts/\(number + 40)")
      #expect(absent.facts.terminal?.hasCertainName == false)
      for program in [absent.program, forged.program, real.program] { _ = try program.finish() }
    }
  }

  /// Whether this user may mount a file system of pseudo terminals.
  private static let canMount: Bool = {
    let script = "mount -t devpts -o newinstance none /dev/pts"
    let program = try? RunningProgram("/usr/bin/unshare", ["-Urm", "/bin/sh", "-c", script])
    return (try? program?.finish().status) == 0
  }()
}
