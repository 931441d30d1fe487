import JSON
import CImaging

/// One job from standard input to standard output.
///
/// What can be trusted, the job, is dealt with first: libvips starts, the text becomes outlines, and then the process gives
/// up files, sockets and programs for good. Only then are the bytes of the picture read.
enum Worker {
  /// Seconds that a job may take, of processor time and on the clock.
  private static let seconds: UInt32 = 60

  /// Does the job.
  ///
  /// - Returns: the exit status: 0 where there was an answer, 74 where none could be given.
  static func run() -> Int32 {
    guard CommandLine.arguments.count == 1 else {
      StandardStreams.complain(
        "quickvault-imaging takes no arguments; protocol/IMAGING.md tells what it reads and writes\n")
      return 64
    }
    var answer: Answer
    do {
      answer = try perform()
    } catch {
      answer = Answer(error)
    }
    return StandardStreams.write(answer.encoded) ? 0 : 74
  }

  private static func perform() throws(ImagingError) -> Answer {
    guard imaging_limit(seconds) == 0 else { throw .sandboxUnavailable }
    var input = try JobInput()
    let job = input.job
    let type = try ContentType.recognize(input.beginning())
    try job.refuse(type)
    try Library.check(imaging_start(type.format))
    let text = try job.watermark.map { watermark throws(ImagingError) in try Outlines(watermark.text) }
    StandardStreams.silenceErrors()
    let confinement = try Library.confine(for: type)

    let source = try Source(bytes: input.rest(), type: type)
    var answer = try source.perform(job, text: text)
    answer.members.append(JSON.Member("sandbox", .string(confinement)))
    return answer
  }
}

extension Job {
  /// Refuses what cannot be done with a type.
  fileprivate func refuse(_ type: ContentType) throws(ImagingError) {
    guard type == .pdf else { return }
    switch task {
    case .watermark: throw .watermarkUnsupported
    case .strip: throw .stripUnsupported
    case .check, .thumbnail: return
    }
  }
}
