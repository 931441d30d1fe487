import VaultInterface
import Wire

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
    var members: [JSON.Member] = [.init("job", .string(name)), .init("bytes", .integer(byteCount))]
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

  private var name: String {
    switch self {
    case .check: "check"
    case .thumbnail: "thumbnail"
    case .watermark: "watermark"
    case .strip: "strip"
    }
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
