import Foundation
import Glibc
import TestSupport
import Testing

/// A vault with a service in a directory of its own. The service is killed with the object.
final class SharedVault: Sendable {
  private let files: TemporaryDirectory
  let vault: String
  let environment: [String: String]

  init() throws {
    files = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: files.appending("run"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    // Short, since the name of systemd's socket contains it, and the address of a socket has at most 107 bytes.
    vault = files.appending("v")
    environment = [
      "XDG_RUNTIME_DIR": files.appending("run"), "HOME": files.path, "PATH": "/usr/bin:/bin",
      "SECRET": "SECRET",
    ]
  }

  deinit {
    for process in (try? services()) ?? [] { kill(process, SIGKILL) }
  }

  /// The directory of sockets and lock files.
  var directory: String { files.appending("run/quickvault") }

  /// The path of the socket that systemd would make.
  var unitSocket: String {
    directory + "/"
      + vault.dropFirst().split(separator: "/").map { part in
        part.utf8.map { byte in
          let character = Character(UnicodeScalar(byte))
          return character.isLetter || character.isNumber || ":_.".contains(character)
            ? String(character) : "\\x" + String(byte, radix: 16)
        }.joined()
      }.joined(separator: "-") + ".sock"
  }

  var lockFile: String {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      return directory + "/" + (try #require(names.first { $0.hasSuffix(".lock") }))
    }
  }

  /// The service's process.
  var service: pid_t {
    get throws {
      let text = try String(contentsOfFile: lockFile, encoding: .utf8)
      return try #require(pid_t(text.trimmingCharacters(in: .newlines)))
    }
  }

  /// The processes that serve the vault, found by their command lines, without those that they started.
  func services() throws -> [pid_t] {
    try serving().filter { !["quickvault-peer", "quickvault-net"].contains(name(of: $0)) }
  }

  /// The processes that tell services what other processes execute.
  func inspectors() throws -> [pid_t] {
    try serving().filter(isInspector)
  }

  /// A service and its inspector have the same arguments.
  private func serving() throws -> [pid_t] {
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { pid_t($0) }
    return all.filter { process in
      guard let line = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") else { return false }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return words.contains("serve") && words.contains(vault)
    }
  }

  private func isInspector(_ process: pid_t) -> Bool { name(of: process) == "quickvault-peer" }

  private func name(of process: pid_t) -> String? {
    FileManager.default.contents(atPath: "/proc/\(process)/comm").map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
  }

  /// The fields of `/proc/PID/stat`; none if there is no such process.
  func status(of process: pid_t) -> [Substring] {
    ((try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? "").split(separator: " ")
  }

  /// A client that shares the vault.
  func client(locale: String = "C", framing: Framing = .lines) throws -> ProgramClient {
    try ProgramClient(
      vault: vault, command: [Repository.program(), "--shared"],
      environment: environment.merging(["LC_ALL": locale]) { $1 }, framing: framing)
  }

  /// Ends the service, and waits for its end.
  func endService() throws {
    let process = try service
    kill(process, SIGTERM)
    try wait("the service does not end") { !$0.contains(process) }
  }

  /// Waits until the processes that serve the vault are as they should be; fails with a message if that takes too long.
  func wait(_ failure: String, until isReached: ([pid_t]) -> Bool) throws {
    let deadline = Deadline.usual
    while try !isReached(services()) {
      try expect(deadline.milliseconds > 0, failure)
      poll(nil, 0, 2)
    }
  }
}
