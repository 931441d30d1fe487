public import JSONRPC
public import VaultModel

extension RecordIdentifier: ParameterValue {
  /// Reads a UUID in either case.
  public static func read(_ value: JSON, at path: String) throws(ParameterFault) -> RecordIdentifier {
    guard let text = value.string, let identifier = RecordIdentifier(text) else {
      throw ParameterFault(path, .identifier)
    }
    return identifier
  }
}

extension CardGroup: ParameterValue {}
extension CardType: ParameterValue {}
extension CopyStyle: ParameterValue {}

extension ExtraField: ParameterValue {
  /// Reads `{label, value, concealed?}`.
  public static func read(_ value: JSON, at path: String) throws(ParameterFault) -> ExtraField {
    var members = try Parameters(value, at: path)
    let field = ExtraField(
      label: try members.required("label"), value: try members.required("value"),
      concealed: try members.optional("concealed") ?? false)
    try members.finish()
    return field
  }
}

extension Parameters {
  /// Takes an integer from one number to another, both allowed, that may be missing.
  mutating func integer(_ name: String, in range: ClosedRange<Int>) throws(ParameterFault) -> Int? {
    guard let value: Int = try optional(name) else { return nil }
    guard range.contains(value) else {
      throw ParameterFault(place(of: name), .integerBetween(range.lowerBound, range.upperBound))
    }
    return value
  }
}
