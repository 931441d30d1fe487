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

/// A job of the imaging worker (`protocol/IMAGING.md`).
enum ImagingTask: Sendable {
  /// Find out the type and size, and whether the picture is complete.
  case check
  /// Make a thumbnail, with no side longer than `size` pixels.
  case thumbnail(size: Int, Watermark?)
  /// Draw a watermark.
  case watermark(Watermark, stripMetadata: Bool)
  /// Remove the metadata.
  case strip

  /// The first line of the request, for a picture of `byteCount` bytes.
  func line(byteCount: Int) -> [UInt8] {
    var members: [JSON.Member] = [
      .init("job", .string(ErrorKind.caseName(self))), .init("bytes", .integer(byteCount)),
    ]
    switch self {
    case .check, .strip: break
    case .thumbnail(let size, let watermark):
      members.append(.init("size", .integer(size)))
      if let watermark { members.append(.init("watermark", watermark.job)) }
    case .watermark(let watermark, let stripMetadata):
      members += [.init("watermark", watermark.job), .init("stripMetadata", .bool(stripMetadata))]
    }
    return JSON.object(members).utf8 + [0x0A]
  }
}

extension Watermark {
  /// The watermark for the worker, with fractions in place of percentages.
  fileprivate var job: JSON {
    [
      "text": .string(text), "opacity": .number(JSON.Number(opacity, shiftedBy: 2)), "angle": .integer(angle),
      "size": .number(JSON.Number(size, shiftedBy: 3)),
      "spacing": .number(JSON.Number(spacing, shiftedBy: 2)),
    ]
  }
}

/// Why a picture was not read or not made: an error of the imaging worker, or one of these. The attachment is unchanged.
struct ImagingError: ApplicationError, Hashable {
  private let name: String
  private let data: JSON

  private init(_ name: String, _ data: JSON = [:]) {
    (self.name, self.data) = (name, data)
  }

  /// The imaging worker is not installed.
  static func missingWorker(program: String) -> Self { Self("missingWorker", ["program": .string(program)]) }
  /// The program ended without an answer.
  static let crashed = Self("crashed")
  /// It took longer than ``timeLimit``.
  static let timedOut = Self("timedOut")
  /// The bytes are neither a picture nor a PDF.
  static let notAnImage = Self("notAnImage")
  static let watermarkUnsupported = Self("watermarkUnsupported")
  static let stripUnsupported = Self("stripUnsupported")
  static let outOfMemory = Self("outOfMemory")
  /// The result is not as expected.
  static let failed = Self("failed")

  static let timeLimit = Duration.seconds(30)
  /// The most pixels that the worker reads.
  private static let pixelLimit = 50_000_000

  /// An error of the worker's answer.
  init(_ error: JSON) {
    let name = error["kind"]?.string ?? ""
    let row = ErrorKind.named("imaging.\(name)")
    // A worker that a picture has taken over can say anything.
    let texts = row?.data.map { JSON.Member($0.name, .string(error[$0.name]?.string ?? "")) } ?? []
    let isTooLarge = name == "tooManyPixels"
    self.init(
      row == nil ? "failed" : name, isTooLarge ? ["maximum": .integer(Self.pixelLimit)] : .object(texts))
  }

  var descriptor: ErrorDescriptor {
    .init(
      "imaging.\(name)", data, reason: data["characters"] == "" ? "document" : nil,
      words: ["millions": Localized(verbatim: "\(Self.pixelLimit / 1_000_000)")])
  }
}
