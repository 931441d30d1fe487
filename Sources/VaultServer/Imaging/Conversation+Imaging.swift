import JSON
import VaultModel
import VaultSession

extension Conversation {
  /// Has the imaging worker do one job. It is killed when the task is cancelled, when it takes too long, and when the vault
  /// is locked or somebody asks for that meanwhile.
  ///
  /// - Throws: ``ImagingError``, `CancellationError`, `VaultError.locked`.
  private func image(_ task: ImagingTask, _ picture: PrivateBytes) async throws -> ImagingAnswer {
    let run = ImagingRun()
    let loop = loop
    let makeTimer = makeTimer
    imagingRuns[ObjectIdentifier(run)] = run
    defer { imagingRuns[ObjectIdentifier(run)] = nil }
    let answer = try await interruptibly {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          run.begin(task, picture, workers, { try makeTimer(loop, $0) }, continuation)
          if Task.isCancelled { run.fail(CancellationError()) }
        }
      } onCancel: {
        Task { await self.takeBack(run) }
      }
    }
    guard !session.isLocked else { throw VaultError.locked }
    return answer
  }

  private func takeBack(_ run: ImagingRun) {
    run.fail(CancellationError())
  }

  /// Kills every worker, for the vault is locked.
  func endImaging() {
    for run in imagingRuns.values { run.fail(VaultError.locked) }
  }

  // MARK: Jobs

  /// What a picture or document is, once all of it was decoded.
  struct Checked: Sendable {
    var mediaType: MediaType
    var width, height: Int
  }

  /// Looks at a picture or document from its beginning to its end.
  ///
  /// - Throws: ``ImagingError`` for what is none, or not whole.
  func check(_ content: PrivateBytes) async throws -> Checked {
    let answer = try await image(.check, content)
    let checked = try Self.checked(answer.result)
    guard checked.mediaType.begins(content.prefix(16)) else { throw ImagingError.failed }
    return checked
  }

  /// Draws a watermark over a picture.
  ///
  /// - Parameter attachment: what the result must be like: of the same type and size.
  func mark(
    _ content: PrivateBytes, of attachment: Checked, with watermark: Watermark, stripMetadata: Bool
  ) async throws -> PrivateBytes {
    guard attachment.mediaType != .pdf else { throw ImagingError.watermarkUnsupported }
    let answer = try await image(.watermark(watermark, stripMetadata: stripMetadata), content)
    let result = try Self.checked(answer.result)
    // A HEIC may have been turned upright.
    let hasItsSize = (result.width, result.height) == (attachment.width, attachment.height)
    guard result.mediaType == attachment.mediaType, result.mediaType.begins(answer.bytes.prefix(16)),
      hasItsSize || result.mediaType == .heic
    else { throw ImagingError.failed }
    return answer.bytes
  }

  /// Removes the metadata of a picture.
  func strip(_ content: PrivateBytes, of attachment: Checked) async throws -> PrivateBytes {
    guard attachment.mediaType != .pdf else { throw ImagingError.stripUnsupported }
    let answer = try await image(.strip, content)
    guard try Self.checked(answer.result).mediaType == attachment.mediaType,
      attachment.mediaType.begins(answer.bytes.prefix(16))
    else { throw ImagingError.failed }
    return answer.bytes
  }

  /// Makes a small picture.
  func thumbnail(_ content: PrivateBytes, size: Int, watermark: Watermark?) async throws -> Rendition {
    let answer = try await image(.thumbnail(size: size, watermark), content)
    let result = try Self.checked(answer.result)
    guard result.mediaType == .jpeg, result.mediaType.begins(answer.bytes.prefix(16)),
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
