import JSON

/// The request of `quickvault-imaging`: a line of JSON, followed by ``byteCount`` bytes (protocol/IMAGING.md).
package struct Job {
  package enum Task: String {
    case check, thumbnail, watermark, strip
  }

  /// A thumbnail's format.
  package enum Output: String {
    case jpeg, png
  }

  /// The maximum size of a picture, in bytes. The vault accepts 10 MiB; a watermarked PNG may be larger than its source.
  package static let byteLimit = 64 << 20

  package let task: Task
  package let byteCount: Int
  /// Never nil for ``Task/watermark``.
  package let watermark: Watermark?
  /// A thumbnail's longest side in pixels.
  package let size: Int
  package let output: Output
  /// Whether a watermarked picture loses its metadata.
  package let stripMetadata: Bool

  /// - Throws: ``ImagingError/invalidJob(_:)``, and ``ImagingError/textTooLong(maximum:)`` for a watermark's text.
  package init(line: [UInt8]) throws(ImagingError) {
    let members: [JSON.Member]
    do {
      guard case .object(let read) = try JSONReader.read(line) else {
        throw ImagingError.invalidJob("not an object")
      }
      members = read
    } catch {
      throw .invalidJob("the line is not a JSON object")
    }
    var fields = Fields(members)
    guard let task = (try fields.string("job")).flatMap(Task.init) else {
      throw .invalidJob("job is not one of check, thumbnail, watermark, strip")
    }
    guard let byteCount = try fields.integer("bytes", in: 0...(1 << 40)) else {
      throw .invalidJob("bytes is missing")
    }
    self.task = task
    self.byteCount = byteCount
    watermark =
      task == .thumbnail || task == .watermark
      ? try fields.object("watermark").map { fields throws(ImagingError) in try Watermark(fields) } : nil
    size = task == .thumbnail ? try fields.integer("size", in: 16...4096) ?? 256 : 0
    let output = task == .thumbnail ? try fields.string("output") ?? "jpeg" : "jpeg"
    guard let output = Output(rawValue: output) else { throw .invalidJob("output is not one of jpeg, png") }
    self.output = output
    stripMetadata = task == .watermark ? try fields.bool("stripMetadata") ?? false : false
    try fields.end()
    guard task != .watermark || watermark != nil else { throw .invalidJob("watermark is missing") }
  }
}

/// The members of an object, taken by name; ``end()`` rejects the ones left.
struct Fields {
  private var members: [JSON.Member]

  init(_ members: [JSON.Member]) {
    self.members = members
  }

  private mutating func take(_ name: String) -> JSON? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    let value = members.remove(at: index).value
    return value == .null ? nil : value
  }

  mutating func string(_ name: String) throws(ImagingError) -> String? {
    guard let value = take(name) else { return nil }
    guard let text = value.string else { throw .invalidJob("\(name) is not a string") }
    return text
  }

  mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(ImagingError) -> Int? {
    guard let value = take(name) else { return nil }
    guard let number = value.integer, range.contains(number) else {
      throw .invalidJob("\(name) is not an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  mutating func number(_ name: String, in range: ClosedRange<Double>) throws(ImagingError) -> Double? {
    guard let value = take(name) else { return nil }
    guard case .number(let text) = value, let number = Double(text.text), range.contains(number) else {
      throw .invalidJob("\(name) is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  mutating func bool(_ name: String) throws(ImagingError) -> Bool? {
    guard let value = take(name) else { return nil }
    guard case .bool(let flag) = value else { throw .invalidJob("\(name) is not a boolean") }
    return flag
  }

  mutating func object(_ name: String) throws(ImagingError) -> Fields? {
    guard let value = take(name) else { return nil }
    guard case .object(let members) = value else { throw .invalidJob("\(name) is not an object") }
    return Fields(members)
  }

  func end() throws(ImagingError) {
    if let unknown = members.first { throw .invalidJob("unknown member \(unknown.name)") }
  }
}
