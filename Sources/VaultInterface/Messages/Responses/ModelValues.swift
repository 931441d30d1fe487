package import Wire

extension Identifier: JSONCodable {
  /// Reads a UUID in either case.
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Identifier {
    guard let text = value.string, let identifier = Identifier(text) else {
      throw ParameterError(path, .identifier)
    }
    return identifier
  }

  package var json: JSON { .string(description) }
}

extension Timestamp: JSONCodable {
  package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Timestamp {
    guard let text = value.string, let time = Timestamp(text) else { throw ParameterError(path, .string) }
    return time
  }

  package var json: JSON { .string(description) }
}

extension CardGroup: JSONCodable {}
extension CharacterKind: JSONCodable {}
extension CardSort.Column: JSONCodable {}
extension CardType: JSONCodable, MemberName {}
extension CopyStyle: JSONCodable {}
extension ExportFormat: JSONCodable {}
extension ImportFormat: JSONCodable {}
extension Integrity: JSONCodable {}
extension Finding: JSONCodable {}
extension Issue.Code: JSONCodable {}
extension Language: JSONCodable {}
extension MediaType: JSONCodable {}
extension TextEncoding: JSONCodable {}

extension ExtraField: JSONObject {
  package static let coder = ObjectCoder(
    Self.init, .required("label", \.label), .required("value", \.value),
    .always("concealed", \.concealed, default: false))
}

extension OmittedField: JSONObject {
  package static let coder = ObjectCoder(
    Self.init, .required("label", \.label), .required("concealed", \.concealed))
}

extension TagCount: JSONObject {
  package static let coder = ObjectCoder(Self.init, .required("tag", \.tag), .required("count", \.count))
}

extension Watermark: JSONObject {
  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      var watermark = Watermark(text: try parameters.required("text"))
      try watermark.readStyle(&parameters)
      return watermark
    },
    write: { watermark, members in
      members += [
        .init("text", watermark.text.json), .init("opacity", watermark.opacity.json),
        .init("angle", watermark.angle.json), .init("size", watermark.size.json),
        .init("spacing", watermark.spacing.json),
      ]
    })

  /// Takes the parameters other than the text.
  mutating func readStyle(_ parameters: inout Parameters) throws(ParameterError) {
    opacity = try parameters.integer("opacity", in: Range.opacity) ?? opacity
    angle = try parameters.integer("angle", in: Range.angle) ?? angle
    size = try parameters.integer("size", in: Range.size) ?? size
    spacing = try parameters.integer("spacing", in: Range.spacing) ?? spacing
  }
}

extension CardTemplate: JSONObject {
  package static let coder = ObjectCoder(
    Self.init, .required("type", \.type), .required("label", \.label), .required("fields", \.fields))
}

extension FieldTemplate: JSONObject {
  package static let coder = ObjectCoder<Self>(
    { FieldTemplate($0, $1, required: $2, multiline: $3, concealed: $4) },
    .required("key", \.key), .required("label", \.label), .required("required", \.required),
    .required("multiline", \.multiline), .required("concealed", \.concealed))
}

extension Localized: JSONObject {
  package static let coder = ObjectCoder(
    Self.init(_:_:), .required("en", \.english), .required("zh-Hans", \.simplifiedChinese))
}

extension CardFilter: JSONObject {
  package static let coder = ObjectCoder(
    Self.init, .optional("group", \.group), .optional("tag", \.tag), .optional("type", \.type),
    .optional("title", \.title))
}

extension CardChange: JSONObject {
  package static let coder = ObjectCoder<Self>(
    { fields, type, title, group, tags, extraFields, pinned in
      CardChange(
        type: type, title: title, group: group, tags: tags, fields: fields, extraFields: extraFields,
        pinned: pinned)
    },
    .member("fields", \.fields, default: [:]), .optional("type", \.type), .optional("title", \.title),
    .optional("group", \.group), .optional("tags", \.tags),
    .optional("extraFields", \.extraFields), .optional("pinned", \.pinned))
}

extension FormDraft.Form: JSONObject {
  package static let coder = ObjectCoder(
    Self.init,
    .required("client", \.client).limited("client", to: Limits.clientName),
    .required("type", \.type), .optional("card", \.card),
    .optional("form", \.name).limited("form", to: Limits.clientName))
}
