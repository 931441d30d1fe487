public import JSON
public import Identifiers
public import JSONRPC
public import VaultModel

/// `card/copy`: a card, or one field of it, as text for the clipboard (R18).
public struct CardCopy: RequestType {
  /// The method's name.
  public static let method = "card/copy"

  /// What of the card is wanted.
  public enum Form: Sendable, Hashable {
    /// The bare value of one field: its key, an extra field's label, or `title`.
    case field(String)
    /// The whole card in a style.
    case style(CopyStyle)
    /// The whole card in a template that came with the request.
    case template(String)
  }

  /// The card's id.
  public var id: Identifier
  /// What of it is wanted.
  public var form: Form

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
    let field: String? = try parameters.optional("field")
    let style: CopyStyle? = try parameters.optional("style")
    let template: String? = try parameters.optional("template")
    if field != nil, style != nil { throw ParameterError("style", .absenceBeside("field")) }
    if field != nil, template != nil { throw ParameterError("template", .absenceBeside("field")) }
    if template != nil, let style, style != .template { throw ParameterError("style", .oneOf(["template"])) }
    form = field.map(Form.field) ?? template.map(Form.template) ?? .style(style ?? .labelled)
  }

  /// The text for the clipboard.
  public struct Answer: JSONConvertible {
    /// The text.
    public var text: String
    /// After how many seconds the clipboard is to be cleared, if it still holds the text; nil for never.
    public var clearAfterSeconds: Int?

    /// An answer of the given parts.
    public init(text: String, clearAfterSeconds: Int?) {
      self.text = text
      self.clearAfterSeconds = clearAfterSeconds
    }

    /// The answer on the wire.
    public var json: JSON {
      ["text": .string(text), "clearAfterSeconds": clearAfterSeconds.map(JSON.integer) ?? .null]
    }
  }
}
