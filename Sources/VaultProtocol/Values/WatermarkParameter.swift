public import JSON
public import JSONRPC
public import VaultModel

extension Watermark: ParameterValue {
  /// Reads `{text, opacity?, angle?, size?, spacing?}`.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> Watermark {
    var parameters = try Parameters(value, at: path)
    let watermark = Watermark(text: try parameters.required("text"), try Measures(&parameters))
    try parameters.finish()
    return watermark
  }

  /// How a watermark is drawn, as far as somebody says.
  struct Measures {
    let opacity, angle, size, spacing: Int?

    init(_ parameters: inout Parameters) throws(ParameterError) {
      opacity = try parameters.integer("opacity", in: Range.opacity)
      angle = try parameters.integer("angle", in: Range.angle)
      size = try parameters.integer("size", in: Range.size)
      spacing = try parameters.integer("spacing", in: Range.spacing)
    }
  }

  init(text: String, _ measures: Measures) {
    self.init(text: text)
    opacity = measures.opacity ?? opacity
    angle = measures.angle ?? angle
    size = measures.size ?? size
    spacing = measures.spacing ?? spacing
  }

  /// The watermark on the wire.
  var json: JSON {
    [
      "text": .string(text), "opacity": .integer(opacity), "angle": .integer(angle), "size": .integer(size),
      "spacing": .integer(spacing),
    ]
  }
}
