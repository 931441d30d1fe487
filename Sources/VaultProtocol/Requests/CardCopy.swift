package import Identifiers
package import JSON
package import VaultModel

/// `card/copy`: a card, or one field of it, as text for the clipboard (R18).
package struct CardCopy: VaultRequest {
  package static let method = "card/copy"

  package var id: Identifier
  package var form: CopyForm
  /// Whether the whole card is copied with its concealed fields.
  package var includesConcealed: Bool

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let id: Identifier = try parameters.required("id")
      let field: String? = try parameters.optional("field")
      let style: CopyStyle? = try parameters.optional("style")
      let template: String? = try parameters.optional("template")
      let concealed: Bool? = try parameters.optional("concealed")
      if field != nil, concealed != nil { throw ParameterError("concealed", .absenceWith("field")) }
      if field != nil, style != nil { throw ParameterError("style", .absenceWith("field")) }
      if field != nil, template != nil { throw ParameterError("template", .absenceWith("field")) }
      if template != nil, let style, style != .template {
        throw ParameterError("style", .oneOf(["template"]))
      }
      return Self(
        id: id,
        form: field.map(CopyForm.field) ?? template.map(CopyForm.template) ?? .style(style ?? .labelled),
        includesConcealed: concealed ?? false)
    },
    write: { request, members in
      members.append(.init("id", request.id.json))
      switch request.form {
      case .field(let name): members.append(.init("field", .string(name)))
      case .style(let style): members.append(.init("style", style.json))
      case .template(let template):
        members += [.init("style", "template"), .init("template", .string(template))]
      }
      if request.includesConcealed { members.append(.init("concealed", true)) }
    })

  package struct Response: ResultObject, Hashable {
    package var text: String
    /// The fields of the card that the text does not have.
    package var leftOut: [OmittedField]
    /// The time after which to clear the clipboard, in seconds; nil for never.
    package var clearAfterSeconds: Int?

    package init(text: String, leftOut: [OmittedField], clearAfterSeconds: Int?) {
      self.text = text
      self.leftOut = leftOut
      self.clearAfterSeconds = clearAfterSeconds
    }

    package static let coder = ObjectCoder(
      Self.init, .required("text", \.text), .member("leftOut", \.leftOut, default: []),
      .nullable("clearAfterSeconds", \.clearAfterSeconds))
  }
}
