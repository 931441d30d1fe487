import Foundation
import Glibc
import SessionSupport
import TestSupport
import Testing

@testable import Vault

/// The file of the error log, in a real directory.
@Suite("The file of the error log") struct ErrorLogTests {
  private let directory: TemporaryDirectory
  private let state: String
  private let log: LineLog

  init() throws {
    directory = try TemporaryDirectory()
    state = directory.appending("state/quickvault")
    log = LineLog(in: state)
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func size(_ name: String) -> Int {
    var status = stat()
    return stat(state + "/" + name, &status) == 0 ? Int(status.st_size) : 0
  }

  @Test("R17 lines are appended to a file that only its owner can read, in a directory of its own")
  func appending() throws {
    #expect(log.lastLines(10).isEmpty)
    log.append("one")
    log.append("two")
    #expect(log.lastLines(10) == ["one", "two"])
    #expect(log.lastLines(1) == ["two"])
    #expect(try mode(state) == 0o700)
    #expect(try mode(state + "/log") == 0o600)
    chmod(state + "/log", 0o644)
    log.append("three")
    #expect(try mode(state + "/log") == 0o600)
  }

  @Test("R17 the log never exceeds 1 MiB, and keeps the newer half of it")
  func bound() throws {
    let line = String(repeating: "x", count: 1_000)
    for number in 0..<3_000 {
      log.append("\(number) \(line)")
      #expect(size("log") + size("log.old") <= LineLog.sizeLimit)
    }
    let kept = log.lastLines(.max).compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
    #expect(kept.count >= 500)
    #expect(kept == Array((3_000 - kept.count)..<3_000))
    log.append(String(repeating: "y", count: 5_000))
    #expect(log.lastLines(1).first?.count == 1_024)
  }

  @Test(
    "R17 nothing is written through a planted link or into a FIFO, a directory or a file with another name")
  func planted() throws {
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    let (path, target) = (state + "/log", directory.appending("target"))
    try "untouched".write(toFile: target, atomically: false, encoding: .utf8)
    chmod(target, 0o644)
    for plant in [
      { symlink(target, path) }, { symlink(self.directory.appending("none"), path) }, { link(target, path) },
      { mkfifo(path, 0o600) }, { mkdir(path, 0o700) },
    ] {
      #expect(plant() == 0)
      log.append("secret")
      #expect(log.lastLines(10).isEmpty)
      #expect(try String(contentsOfFile: target, encoding: .utf8) == "untouched")
      #expect(try mode(target) == 0o644)
      #expect(access(directory.appending("none"), F_OK) != 0)
      #expect(remove(path) == 0)
    }
  }

  @Test("R17 a log that cannot be written is left out")
  func unwritable() throws {
    LineLog(in: "/dev/null/quickvault").append("x")
    LineLog(in: "/proc/self/quickvault").append("x")
    #expect(LineLog(in: "/dev/null/quickvault").lastLines(10).isEmpty)
  }

  @Test("R17 several threads that rename the full log at once lose no line and tear none")
  func concurrent() async throws {
    let (log, line) = (log, String(repeating: "x", count: 100))
    await withTaskGroup { group in
      for writer in 0..<4 {
        group.addTask { for number in 0..<2_000 { log.append("\(writer) \(number) \(line)") } }
      }
    }
    #expect(size("log.old") > 0)
    let lines = log.lastLines(.max)
    for writer in 0..<4 {
      let own = lines.filter { $0.hasPrefix("\(writer) ") }
      #expect(own == (0..<2_000).map { "\(writer) \($0) \(line)" })
    }
  }
}
