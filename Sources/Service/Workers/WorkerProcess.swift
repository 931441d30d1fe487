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
