import Glibc
import Wire

/// Why a helper program does not run.
enum WorkerError: Error, Hashable, Sendable {
  /// It is not installed.
  case missing(program: String)
  /// The system cannot start it.
  case notStarted(program: String)
}

/// Finds, starts and ends the helper programs. It is used on the loop's thread.
final class WorkerProcesses: @unchecked Sendable {
  private struct Running {
    weak var process: WorkerProcess?
  }

  private let loop: EventLoop
  private let directory: ProgramDirectory
  private var running: [Running] = []

  init(on loop: EventLoop, from directory: ProgramDirectory) {
    self.loop = loop
    self.directory = directory
  }

  func has(_ name: String) -> Bool { directory.path(of: name) != nil }

  /// Starts a program, which is killed when it is released, and when this process ends or is replaced.
  ///
  /// - Parameters:
  ///   - name: the program, such as `quickvault-imaging`.
  ///   - arguments: its arguments, which every user of the machine can read.
  ///   - environment: its whole environment, as from ``environment(_:prefixes:)``.
  /// - Throws: ``WorkerError``.
  func start(
    _ name: String, arguments: [String] = [], environment: [String: String], _ actions: WorkerProcess.Actions
  ) throws(WorkerError) -> WorkerProcess {
    guard let path = directory.path(of: name) else { throw .missing(program: name) }
    do {
      return try start(at: path, arguments: arguments, environment: environment, actions)
    } catch {
      throw error.number == ENOENT ? .missing(program: name) : .notStarted(program: name)
    }
  }

  /// Starts a program that is not in the directory of helpers, as ``start(_:arguments:environment:_:)`` does.
  func start(
    at path: String, arguments: [String] = [], environment: [String: String], _ actions: WorkerProcess.Actions
  ) throws(SystemError) -> WorkerProcess {
    let process = try WorkerProcess(path, arguments: arguments, environment: environment, on: loop, actions)
    running.removeAll { $0.process == nil }
    running.append(Running(process: process))
    return process
  }

  /// Kills all running programs.
  func terminateAll() {
    for entry in running { entry.process?.terminate() }
    running = []
  }

  /// Selects variables of this process's environment by name or prefix.
  static func environment(_ names: Set<String>, prefixes: [String]) -> [String: String] {
    var chosen: [String: String] = [:]
    for entry in ProcessEnvironment.entries {
      guard let equals = entry.firstIndex(of: "=") else { continue }
      let name = String(entry[..<equals])
      guard names.contains(name) || prefixes.contains(where: name.hasPrefix) else { continue }
      chosen[name] = String(entry[entry.index(after: equals)...])
    }
    return chosen
  }
}
