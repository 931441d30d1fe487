import JSON
import VaultModel

/// What the imaging worker is to do with a picture (`protocol/IMAGING.md`).
enum ImagingTask: Sendable {
  /// Tell what it is, and whether it is whole.
  case check
  /// Make a small picture of it, no side longer than so many pixels.
  case thumbnail(size: Int, Watermark?)
  /// Draw a text over it.
  case watermark(Watermark, stripMetadata: Bool)
  /// Remove its metadata.
  case strip

  /// The line of a message, for a picture of so many bytes.
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
  /// The watermark as the worker takes it, its measures in parts of one.
  fileprivate var job: JSON {
    [
      "text": .string(text), "opacity": .number(JSON.Number(opacity, shiftedBy: 2)), "angle": .integer(angle),
      "size": .number(JSON.Number(size, shiftedBy: 3)),
      "spacing": .number(JSON.Number(spacing, shiftedBy: 2)),
    ]
  }
}
