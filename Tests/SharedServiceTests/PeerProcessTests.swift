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
}
