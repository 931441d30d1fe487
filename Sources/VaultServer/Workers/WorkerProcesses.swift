import EventLoop
import Glibc
import JSONRPC

/// Why a program does not run.
enum WorkerError: Error, Hashable, Sendable {
  /// It is not where the programs are.
  case missing(program: String)
  /// The system does not start it.
  case notStarted(program: String)
}

/// The programs that the vault's process has started: found, started, and ended with it.
///
/// Like the loop it belongs to that thread.
final class WorkerProcesses: @unchecked Sendable {
  private struct Running {
    weak var process: WorkerProcess?
  }

  private let loop: EventLoop
  private let directory: ProgramDirectory
  private var running: [Running] = []

  /// Programs of a directory.
  init(on loop: EventLoop, from directory: ProgramDirectory) {
    self.loop = loop
    self.directory = directory
  }

  /// Whether there is such a program.
  func has(_ name: String) -> Bool { directory.path(of: name) != nil }

  /// Starts a program, which runs until it ends, is let go of, or the process ends or is replaced.
  ///
  /// - Parameters:
  ///   - name: the program, such as `quickvault-imaging`.
  ///   - arguments: what follows its name; everybody can read them.
  ///   - environment: all of its environment, such as ``environment(_:prefixes:)`` gives.
  /// - Throws: ``WorkerError``.
  func start(
    _ name: String, arguments: [String] = [], environment: [String: String], _ actions: WorkerProcess.Actions
  ) throws(WorkerError) -> WorkerProcess {
    guard let path = directory.path(of: name) else { throw .missing(program: name) }
    do {
      let process = try WorkerProcess(path, arguments: arguments, environment: environment, on: loop, actions)
      running.removeAll { $0.process == nil }
      running.append(Running(process: process))
      return process
    } catch {
      throw error.number == ENOENT ? .missing(program: name) : .notStarted(program: name)
    }
  }

  /// Kills every program that runs: none outlives the process that knows it.
  func terminateAll() {
    for entry in running { entry.process?.terminate() }
    running = []
  }

  /// What of this process's environment a program may know.
  ///
  /// - Parameters:
  ///   - names: variables by their names.
  ///   - prefixes: the beginnings of other variables' names.
  static func environment(_ names: Set<String>, prefixes: [String]) -> [String: String] {
    var chosen: [String: String] = [:]
    var position = unsafe environ
    while let text = unsafe position.pointee {
      let entry = unsafe String(cString: text)
      unsafe position += 1
      guard let equals = entry.firstIndex(of: "=") else { continue }
      let name = String(entry[..<equals])
      guard names.contains(name) || prefixes.contains(where: name.hasPrefix) else { continue }
      chosen[name] = String(entry[entry.index(after: equals)...])
    }
    return chosen
  }
}
