public import JSON
public import JSONRPC
public import VaultModel

/// `template/list`: the types of cards with their fields, labelled in both languages. Works locked.
public struct TemplateList: RequestType {
  /// The method's name.
  public static let method = "template/list"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}

  /// The types of cards.
  public struct Answer: JSONConvertible {
    /// One template a type.
    public var templates: [CardTemplate]

    /// An answer of the given templates.
    public init(templates: [CardTemplate]) {
      self.templates = templates
    }

    /// The answer on the wire.
    public var json: JSON {
      ["templates": .array(templates.map(\.json))]
    }
  }
}

extension CardTemplate {
  fileprivate var json: JSON {
    ["type": .string(type.rawValue), "label": label.json, "fields": .array(fields.map(\.json))]
  }
}

extension FieldTemplate {
  fileprivate var json: JSON {
    [
      "key": .string(key),
      "label": label.json,
      "required": .bool(required),
      "multiline": .bool(multiline),
      "concealed": .bool(concealed),
    ]
  }
}
