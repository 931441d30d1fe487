import Glibc
import Vault
import VaultInterface
import Wire

/// The answer of the imaging worker.
struct ImagingResponse: Sendable {
  var result: JSON
  /// The picture; empty for ``ImagingTask/check``.
  var bytes: PrivateBytes
}

/// One job of an imaging worker, on the loop's thread.
final class ImagingRun: @unchecked Sendable {
  static let program = "quickvault-imaging"
  private static let lineLimit = 16 << 10
  private static let byteLimit = 64 << 20

  private var process: WorkerProcess?
  private var continuation: CheckedContinuation<ImagingResponse, any Error>?
  private var timer: (any EventLoop.Timer)?
  private var line: [UInt8] = []
  private var answer: JSON?
  private var bytes: PrivateBytes?

  /// Starts the worker and sends it the picture.
  ///
  /// - Parameter continuation: is resumed once, with the answer or an error.
  func begin(
    _ task: ImagingTask, _ picture: PrivateBytes, _ workers: WorkerProcesses,
    _ makeTimer: (
      @escaping @Sendable () -> Void
    ) throws -> any EventLoop.Timer, _ continuation: CheckedContinuation<ImagingResponse, any Error>
  ) {
    self.continuation = continuation
    do {
      let line = task.line(byteCount: picture.count)
      guard let message = PrivateBytes(capacity: line.count) else { throw ImagingError.outOfMemory }
      message.append(line)
      timer = try makeTimer { [weak self] in self?.end(.failure(ImagingError.timedOut)) }
      timer?.set(after: ImagingError.timeLimit)
      let process = try workers.start(
        Self.program, environment: WorkerProcesses.environment(["HOME"], prefixes: ["XDG_", "FONTCONFIG_"]),
        WorkerProcess.Actions(
          readable: { [weak self] in self?.read() }, ended: { [weak self] status in self?.conclude(status) }))
      self.process = process
      process.write(message)
      process.write(picture)
      process.finishInput()
    } catch WorkerError.missing(let program) {
      end(.failure(ImagingError.missingWorker(program: program)))
    } catch is WorkerError {
      end(.failure(ImagingError.crashed))
    } catch {
      end(.failure(error))
    }
  }

  /// Ends the job without an answer.
  func fail(_ error: any Error) {
    end(.failure(error))
  }

  // MARK: The answer

  /// Reads what is available.
  ///
  /// - Returns: whether there was anything.
  @discardableResult private func read() -> Bool {
    guard let process else { return false }
    if let bytes {
      // The capacity is one byte more than announced, to detect a longer answer.
      let count = process.read(into: bytes)
      if bytes.count == bytes.capacity { rejectAnswer() }
      return count > 0
    }
    guard let piece = PrivateBytes(capacity: Self.lineLimit) else { return false }
    let count = process.read(into: piece)
    if count > 0 { take(piece) }
    return count > 0
  }

  private func take(_ piece: PrivateBytes) {
    let start = line.count
    piece.withSpan { span in unsafe span.withUnsafeBytes { unsafe line.append(contentsOf: $0) } }
    guard let end = line[start...].firstIndex(of: 0x0A) else {
      if line.count > Self.lineLimit { rejectAnswer() }
      return
    }
    guard let answer = try? JSONReader.read(Array(line[..<end])), let count = answer["bytes"]?.integer,
      (0...Self.byteLimit).contains(count), let bytes = PrivateBytes(capacity: count + 1)
    else {
      return rejectAnswer()
    }
    bytes.append(Array(line[(end + 1)...]))
    line = []
    (self.answer, self.bytes) = (answer, bytes)
  }

  /// Ends the job after an invalid answer.
  private func rejectAnswer() {
    end(.failure(ImagingError.crashed))
  }

  private func conclude(_ status: Int32) {
    while read() {}
    guard ![128 + SIGALRM, 128 + SIGXCPU].contains(status) else {
      return end(.failure(ImagingError.timedOut))
    }
    guard status == 0, let answer, let bytes, bytes.count == bytes.capacity - 1 else {
      return end(.failure(ImagingError.crashed))
    }
    if let error = answer["error"] { return end(.failure(Self.error(error))) }
    guard let result = answer["result"] else { return end(.failure(ImagingError.crashed)) }
    end(.success(ImagingResponse(result: result, bytes: bytes)))
  }

  /// An error of the worker. A text that shows nothing is as blank as one of spaces.
  private static func error(_ error: JSON) -> any Error {
    error["kind"]?.string == "textInvisible" ? Watermark.ValidationError.empty : ImagingError(error)
  }

  private func end(_ outcome: Result<ImagingResponse, any Error>) {
    guard let continuation else { return }
    self.continuation = nil
    process?.terminate()
    process = nil
    timer?.cancel()
    timer = nil
    continuation.resume(with: outcome)
  }
}
