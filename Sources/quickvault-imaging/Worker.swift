import CImaging
import ImagingFormats
import Wire

/// Runs one job from standard input to standard output.
///
/// The job's line is trusted: libvips starts and the text is converted to outlines. The process then gives up files,
/// sockets and other programs for good. Only after that are the untrusted bytes of the picture read.
enum Worker {
  /// The limit for a job, in seconds of both processor time and elapsed time.
  private static let seconds: UInt32 = 60

  /// Returns the exit status: 0 after a response, 64 if there are arguments, 74 if writing failed (sysexits(3)).
  static func run() -> Int32 {
    guard CommandLine.arguments.count == 1 else {
      StandardStreams.writeError(
        "quickvault-imaging takes no arguments; see protocol/IMAGING.md\n")
      return 64
    }
    var response: Response
    do {
      response = try perform()
    } catch {
      response = Response(error)
    }
    return StandardStreams.write(response.encoded) ? 0 : 74
  }

  private static func perform() throws(ImagingError) -> Response {
    guard imaging_limit(seconds) == 0 else { throw .sandboxUnavailable }
    var input = try JobInput()
    let job = input.job
    let type = try ContentType.recognize(input.prefix())
    try job.checkSupport(for: type)
    try Library.check(imaging_start(type.format))
    let text = try job.watermark.map { watermark throws(ImagingError) in try Outlines(watermark.text) }
    StandardStreams.discardErrors()
    let confinement = try Library.confine(for: type)

    let picture = try Picture(bytes: input.bytes(), type: type)
    var response = try picture.perform(job, text: text)
    response.members.append(JSON.Member("sandbox", .string(confinement)))
    return response
  }
}

extension Job {
  /// Throws if the type does not support the task.
  fileprivate func checkSupport(for type: ContentType) throws(ImagingError) {
    guard type == .pdf else { return }
    switch task {
    case .watermark: throw .watermarkUnsupported
    case .strip: throw .stripUnsupported
    case .check, .thumbnail: return
    }
  }
}
