import Vault
import VaultInterface
import Wire

/// Runs imaging workers, one for each job.
actor ImagingService {
  /// What a picture or document is, once all of it was decoded.
  struct Checked: Sendable {
    var mediaType: MediaType
    var width, height: Int
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  private nonisolated let loop: EventLoop
  private nonisolated let workers: WorkerProcesses
  private let makeTimer: EventLoop.TimerFactory
  private var runs: [ObjectIdentifier: ImagingRun] = [:]

  init(on loop: EventLoop, _ workers: WorkerProcesses, makeTimer: @escaping EventLoop.TimerFactory) {
    self.loop = loop
    self.workers = workers
    self.makeTimer = makeTimer
  }

  /// Whether there is an imaging worker.
  nonisolated var isInstalled: Bool { workers.has(ImagingRun.program) }

  /// Kills every worker, because the vault is locked: its job throws `VaultError.locked`.
  func endAll() {
    for run in runs.values { run.fail(VaultError.locked) }
  }

  /// Has a worker do one job. It is killed when the task is cancelled, and when it takes too long.
  private func run(_ task: ImagingTask, _ picture: PrivateBytes) async throws -> ImagingResponse {
    let run = ImagingRun()
    runs[ObjectIdentifier(run)] = run
    defer { runs[ObjectIdentifier(run)] = nil }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        run.begin(task, picture, workers, { try makeTimer(loop, $0) }, continuation)
        if Task.isCancelled { run.fail(CancellationError()) }
      }
    } onCancel: {
      Task { await self.cancel(run) }
    }
  }

  private func cancel(_ run: ImagingRun) {
    run.fail(CancellationError())
  }

  // MARK: Jobs

  /// Decodes all of a picture or document, to find out what it is.
  ///
  /// - Throws: ``ImagingError`` if it is neither, or not complete.
  func check(_ content: PrivateBytes) async throws -> Checked {
    let answer = try await run(.check, content)
    let checked = try Self.checked(answer.result)
    guard checked.mediaType.begins(content.prefix(MediaType.beginning)) else { throw ImagingError.failed }
    return checked
  }

  /// Draws a watermark over a picture.
  ///
  /// - Parameter attachment: the type and size that the result must have.
  func mark(
    _ content: PrivateBytes, of attachment: Checked, with watermark: Watermark, stripMetadata: Bool
  ) async throws -> PrivateBytes {
    guard attachment.mediaType != .pdf else { throw ImagingError.watermarkUnsupported }
    let answer = try await run(.watermark(watermark, stripMetadata: stripMetadata), content)
    let result = try Self.checked(answer.result)
    // A HEIC may have been turned upright.
    let hasItsSize = (result.width, result.height) == (attachment.width, attachment.height)
    guard result.mediaType == attachment.mediaType,
      result.mediaType.begins(answer.bytes.prefix(MediaType.beginning)),
      hasItsSize || result.mediaType == .heic
    else { throw ImagingError.failed }
    return answer.bytes
  }

  /// Removes the metadata of a picture.
  func strip(_ content: PrivateBytes, of attachment: Checked) async throws -> PrivateBytes {
    guard attachment.mediaType != .pdf else { throw ImagingError.stripUnsupported }
    let answer = try await run(.strip, content)
    guard try Self.checked(answer.result).mediaType == attachment.mediaType,
      attachment.mediaType.begins(answer.bytes.prefix(MediaType.beginning))
    else { throw ImagingError.failed }
    return answer.bytes
  }

  /// Makes a thumbnail.
  ///
  /// - Parameter size: the length of its longer side at most, in pixels.
  func thumbnail(_ content: PrivateBytes, size: Int, watermark: Watermark?) async throws -> Rendition {
    let answer = try await run(.thumbnail(size: size, watermark), content)
    let result = try Self.checked(answer.result)
    guard result.mediaType == .jpeg, result.mediaType.begins(answer.bytes.prefix(MediaType.beginning)),
      max(result.width, result.height) <= size
    else { throw ImagingError.failed }
    return Rendition(
      mediaType: result.mediaType, width: result.width, height: result.height, bytes: answer.bytes)
  }

  private static func checked(_ result: JSON) throws -> Checked {
    guard let type = result["mediaType"]?.string.flatMap(MediaType.init),
      let width = result["width"]?.integer,
      let height = result["height"]?.integer, (1...1 << 31).contains(width), (1...1 << 31).contains(height)
    else { throw ImagingError.failed }
    return Checked(mediaType: type, width: width, height: height)
  }
}
