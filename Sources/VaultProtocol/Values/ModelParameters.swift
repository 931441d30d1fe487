public import JSON
public import Identifiers
public import JSONRPC
public import VaultModel

extension Identifier: ParameterValue {
  /// Reads a UUID in either case.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> Identifier {
    guard let text = value.string, let identifier = Identifier(text) else {
      throw ParameterError(path, .identifier)
    }
    return identifier
  }
}

extension CardGroup: ParameterValue {}
extension CardType: ParameterValue {}
extension CopyStyle: ParameterValue {}

extension ExtraField: ParameterValue {
  /// Reads `{label, value, concealed?}`.
  public static func read(_ value: JSON, at path: String) throws(ParameterError) -> ExtraField {
    var members = try Parameters(value, at: path)
    let field = ExtraField(
      label: try members.required("label"), value: try members.required("value"),
      concealed: try members.optional("concealed") ?? false)
    try members.finish()
    return field
  }
}

extension Integrity: JSONConvertible {
  /// `intact` or `damaged`.
  public var json: JSON { .string(rawValue) }
}
