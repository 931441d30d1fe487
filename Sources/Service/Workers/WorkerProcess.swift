import CLinux
import Glibc
import Vault
import Wire

/// A helper program, with pipes that are read and written on the loop's thread.
///
/// It knows nothing of the vault but what is written to it: it has its three pipes, the given environment, and no other
/// descriptor. It is killed when this object is released, when the thread that started it ends, and before the process is
/// replaced at lock (``WorkerProcesses``).
///
/// Every member is used, every action called and the last reference released on the loop's thread.
final class WorkerProcess: @unchecked Sendable {
  /// Callbacks of a running program. None is called after `ended`.
  struct Actions {
    /// It wrote to standard output, or closed it: read with ``WorkerProcess/read(into:upTo:)``.
    var readable: @Sendable () -> Void
    /// All input was written, or never can be.
    var written: @Sendable () -> Void = {}
    /// It ended, with its exit status or 128 plus a signal number; its output can still be read.
    var ended: @Sendable (_ status: Int32) -> Void
  }

  private let loop: EventLoop
  private let worker: linux_worker
  private let actions: Actions
  private var waiting: [PrivateBytes] = []
  private var position = 0
  private var closesInput = false
  private var hasInput = true
  private var hasEnded = false

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the program.
  ///   - arguments: its arguments, which every user of the machine can read.
  ///   - environment: its whole environment.
  /// - Throws: ``SystemError`` if it cannot be started.
  init(
    _ path: String, arguments: [String], environment: [String: String], on loop: EventLoop, _ actions: Actions
  ) throws(SystemError) {
    self.loop = loop
    self.actions = actions
    worker = try Self.start(path, [path] + arguments, environment.map { "\($0.key)=\($0.value)" }.sorted())
    loop.watch(worker.output, for: .reading) { [actions] in actions.readable() }
    loop.watch(worker.errors, for: .reading) { [weak self] in self?.discardErrors() }
    loop.watch(worker.watch, for: .reading) { [weak self] in self?.end() }
  }

  deinit {
    terminate()
    for descriptor in [worker.output, worker.errors] {
      loop.unwatch(descriptor)
      close(descriptor)
    }
  }

  private static func start(
    _ path: String, _ arguments: [String], _ environment: [String]
  ) throws(SystemError) -> linux_worker {
    var worker = linux_worker()
    let failure = unsafe ArgumentVector.with(arguments, environment: environment) {
      unsafe linux_worker_start(&worker, path, $0, $1)
    }
    guard failure == 0 else {
      errno = failure
      throw SystemError("starting \(path)")
    }
    return worker
  }

  // MARK: Input and output

  /// Appends bytes to its standard input.
  func write(_ bytes: PrivateBytes) {
    guard hasInput, !closesInput else { return }
    waiting.append(bytes)
    flush()
  }

  /// Closes its standard input after the last byte.
  func finishInput() {
    closesInput = true
    flush()
  }

  /// Reads from its standard output once.
  ///
  /// - Returns: the result of read(2): 0 after it has closed its output, when ``Actions/readable`` is no longer called.
  func read(into bytes: PrivateBytes, upTo limit: Int = .max) -> Int {
    let count = bytes.read(from: worker.output, upTo: limit)
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { loop.unwatch(worker.output) }
    return count
  }

  /// Kills it. ``Actions/ended`` is not called.
  func terminate() {
    closeInput()
    guard !hasEnded else { return }
    hasEnded = true
    kill(worker.process, SIGKILL)
    loop.unwatch(worker.watch)
    _ = linux_worker_end(worker.watch)
    close(worker.watch)
  }

  private func end() {
    guard !hasEnded else { return }
    hasEnded = true
    closeInput()
    loop.unwatch(worker.watch)
    let status = linux_worker_end(worker.watch)
    close(worker.watch)
    actions.ended(status)
  }

  /// Reads and drops its standard error, where a decoder may quote its input.
  private func discardErrors() {
    var buffer = InlineArray<4096, UInt8>(repeating: 0)
    var span = buffer.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer {
      unsafe Glibc.read(worker.errors, $0.baseAddress, $0.count)
    }
    if count == 0 { loop.unwatch(worker.errors) }
  }

  private func flush() {
    while hasInput, let bytes = waiting.first {
      let count = bytes.count > position ? bytes.write(to: worker.input, from: position) : 0
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN { return loop.watch(worker.input, for: .writing) { [weak self] in self?.flush() } }
        return closeInput()
      }
      position += count
      guard position == bytes.count else { continue }
      waiting.removeFirst()
      position = 0
    }
    guard hasInput else { return }
    loop.unwatch(worker.input)
    if closesInput { closeInput() } else { actions.written() }
  }

  private func closeInput() {
    guard hasInput else { return }
    hasInput = false
    waiting = []
    loop.unwatch(worker.input)
    close(worker.input)
    actions.written()
  }
}

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

/// The programs that ask for passwords.
public enum PinentryProgram {
  /// Those that may be executed.
  ///
  /// - Parameter chosen: that of the command line; nil for the usual ones.
  public static func paths(_ chosen: String?) -> [String] { PinentryEnvironment.programs(chosen) }
}

/// The directories of the helper programs.
///
/// They are the program's own, as in a build, and `../libexec/quickvault`, as after `make install`, or that of `--helpers` alone;
/// never those of `PATH`, which may have been changed.
public struct ProgramDirectory: Sendable {
  private let directories: [String]

  /// The programs that the process may execute besides itself: directories and files, which need not exist.
  ///
  /// A directory of its own is named as a whole, so that an upgraded program is found there. Of the process's own
  /// directory, which may be `/usr/bin`, only the programs are.
  public let executables: [String]

  /// - Parameter override: the directory of the command line, if any.
  public init(override: String?) {
    if let override {
      (directories, executables) = ([override], [override])
    } else if let own = Self.ownDirectory {
      let libexec = own + "/../libexec/quickvault"
      directories = [own, libexec]
      executables = [ImagingRun.program, DesktopProgram.program].map { "\(own)/\($0)" } + [libexec]
    } else {
      (directories, executables) = ([], [])
    }
  }

  /// The command of the carrier, which is started by a process that has the network; nil if it is not installed.
  public var carrier: [String]? { path(of: "quickvault-carrier").map { [$0, "serve"] } }

  /// The path of an executable program; nil if there is none.
  func path(of name: String) -> String? {
    directories.map { "\($0)/\(name)" }.first { unsafe access($0, X_OK) == 0 }
  }

  private static var ownDirectory: String? {
    guard let program = Executables.ownPath else { return nil }
    return program.lastIndex(of: "/").map { String(program[..<$0]) }
  }
}
