import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Service
@testable import Vault

/// Tests starting helper programs, with programs of the system.
@Suite("Helper programs") struct WorkerProcessTests {
  /// What became of one run.
  private struct Run: Sendable {
    var output: [UInt8] = []
    var status: Int32?
    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// A program of the system, run on a loop of its own until it has ended, or until the loop is stopped.
  private final class Runner: @unchecked Sendable {
    let loop: EventLoop
    let workers: WorkerProcesses
    let output: PrivateBytes
    var status: Int32?
    var process: WorkerProcess?

    init(_ directory: String = "/usr/bin") throws {
      // As the program does: a worker may end without reading its input.
      signal(SIGPIPE, SIG_IGN)
      loop = try EventLoop()
      output = try #require(PrivateBytes(capacity: 64 << 20))
      workers = WorkerProcesses(on: loop, from: ProgramDirectory(override: directory))
    }

    func start(_ name: String, _ arguments: [String], _ environment: [String: String] = [:]) throws {
      process = try workers.start(
        name, arguments: arguments, environment: environment,
        WorkerProcess.Actions(
          readable: { [unowned self] in _ = process?.read(into: output, upTo: 100_000) },
          ended: { [unowned self] status in
            while let process, process.read(into: output) > 0 {}
            self.status = status
            loop.stop()
          }))
    }

    var run: Run {
      Run(output: output.withSpan { span in span.withUnsafeBytes { [UInt8]($0) } }, status: status)
    }
  }

  /// Runs a program of the system to its end.
  private func run(
    _ name: String, _ arguments: [String], input: [[UInt8]] = [], _ environment: [String: String] = [:]
  ) async throws -> Run {
    try await onThread {
      let runner = try Runner()
      try runner.start(name, arguments, environment)
      for piece in input {
        let bytes = try #require(PrivateBytes(capacity: piece.count))
        piece.withUnsafeBytes { bytes.append($0.bytes) }
        runner.process?.write(bytes)
      }
      runner.process?.finishInput()
      runner.loop.run()
      return runner.run
    }
  }

  @Test("More input than a pipe holds is echoed in order")
  func muchData() async throws {
    let piece = (0..<5_000_003).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let result = try await run("cat", [], input: [piece, [1, 2, 3], piece])
    #expect(result.output == piece + [1, 2, 3] + piece)
    #expect(result.status == 0)
  }

  @Test("Exit statuses and signals are reported, and earlier output is not lost")
  func statuses() async throws {
    #expect(try await run("sh", ["-c", "printf over; exit 7"]).status == 7)
    #expect(try await run("sh", ["-c", "printf over; exit 7"]).text == "over")
    #expect(try await run("sh", ["-c", "kill -SEGV $$"]).status == 128 + 11)
    #expect(try await run("true", [], input: [[UInt8](repeating: 0, count: 3_000_000)]).status == 0)
  }

  @Test("A program has its three pipes and the given environment, and nothing else of the process")
  func nothingElse() async throws {
    let inherited = open("/dev/null", O_RDONLY)
    defer { close(inherited) }
    let descriptors = try await run("ls", ["/proc/self/fd"]).text.split(separator: "\n").map(String.init)
    // The fourth is ls's own, on the directory that it lists.
    #expect(descriptors == ["0", "1", "2", "3"])
    #expect(
      try await run("env", [], ["LANG": "zh_CN.UTF-8", "A": "b=c"]).text == "A=b=c\nLANG=zh_CN.UTF-8\n")
    let status = try await run("cat", ["/proc/self/status"]).text
    for name in ["SigBlk:\t", "SigIgn:\t"] {
      let mask = try #require(status.split(separator: "\n").first { $0.hasPrefix(name) }).dropFirst(
        name.count)
      // Those that have no name are the C library's own.
      #expect(try #require(UInt64(mask, radix: 16)) & 0x7FFF_FFFF == 0, "\(name)\(mask)")
    }
    let chosen = WorkerProcesses.environment(["HOME"], prefixes: ["PAT"])
    let given = ProcessInfo.processInfo.environment
    #expect(chosen == given.filter { $0.key == "HOME" || $0.key.hasPrefix("PAT") } && chosen["PATH"] != nil)
  }

  @Test("A missing program and one that cannot be started are errors")
  func missing() async throws {
    let directory = try TemporaryDirectory()
    try await onThread {
      try writeProgram("no program", to: directory.appending("broken"))
      let runner = try Runner(directory.path)
      #expect(throws: WorkerError.missing(program: "none")) { try runner.start("none", []) }
      #expect(throws: WorkerError.notStarted(program: "broken")) { try runner.start("broken", []) }
    }
    #expect(ProgramDirectory(override: "/usr/bin").path(of: "cat") == "/usr/bin/cat")
    #expect(ProgramDirectory(override: nil).path(of: "cat") == nil)
  }

  @Test("A program is killed by terminate(), by its release, and by terminateAll()")
  func termination() async throws {
    try await onThread {
      let runner = try Runner()
      for ending in 0..<3 {
        try runner.start("sleep", ["1000"])
        let process = try #require(Self.children().last)
        switch ending {
        case 0: runner.process?.terminate()
        case 1: runner.process = nil
        default: runner.workers.terminateAll()
        }
        #expect(kill(process, 0) == -1 && errno == ESRCH)
      }
      #expect(runner.status == nil)
    }
  }

  @Test("A program dies with the thread that started it")
  func parentDeath() async throws {
    let process = try await onThread { () -> pid_t in
      let runner = try Runner()
      try runner.start("sleep", ["1000"])
      // It is never released: only the kernel can end it.
      _ = Unmanaged.passRetained(runner)
      return try #require(Self.children().last)
    }
    var status: Int32 = 0
    #expect(waitpid(process, &status, 0) == process)
    #expect(status & 0x7F == SIGKILL)
  }

  @Test("Writing to a slow program does not block the loop")
  func slowReader() async throws {
    try await onThread {
      let runner = try Runner()
      try runner.start("sh", ["-c", "read line; echo got $line; cat"])
      let (line, rest) = (
        try #require(PrivateBytes(capacity: 6)), try #require(PrivateBytes(capacity: 4 << 20))
      )
      Array("first\n".utf8).withUnsafeBytes { line.append($0.bytes) }
      rest.append(count: 4 << 20) { _ in }
      runner.process?.write(line)
      runner.process?.write(rest)
      runner.process?.finishInput()
      runner.loop.run()
      #expect(runner.status == 0)
      #expect(runner.run.output.count == "got first\n".utf8.count + (4 << 20))
    }
  }

  /// The processes that this thread has started.
  private static func children() throws -> [pid_t] {
    let path = "/proc/thread-self/children"
    return try String(contentsOfFile: path, encoding: .utf8).split(separator: " ").compactMap { pid_t($0) }
  }
}
