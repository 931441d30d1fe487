import VaultInterface
import Wire

/// The values inside a JSON value, each with the names on the way to it.
struct JSONLeaf: Hashable {
  /// The names of the members on the way, without places in lists.
  var path: [String]
  var value: String

  /// All texts, numbers and true statements of a value, in order; an empty text, false and null say nothing.
  static func all(of json: JSON, path: [String] = []) -> [JSONLeaf] {
    switch json {
    case .object(let members): members.flatMap { all(of: $0.value, path: path + [$0.name]) }
    case .array(let elements): elements.flatMap { all(of: $0, path: path) }
    case .string(let text): text.isBlank ? [] : [JSONLeaf(path: path, value: text)]
    case .number(let number): [JSONLeaf(path: path, value: number.text)]
    case .bool(true): [JSONLeaf(path: path, value: "true")]
    default: []
    }
  }

  /// The object or the list that a text is, if it is one; nil for any other text.
  static func structure(of text: String) -> JSON? {
    guard let first = text.trimmed.first, first == "{" || first == "[",
      let json = try? JSONReader.read(Array(text.trimmed.utf8))
    else { return nil }
    switch json {
    case .object(let members): return members.isEmpty ? nil : json
    case .array(let elements):
      let hasObjects = elements.contains { if case .object = $0 { true } else { false } }
      return hasObjects ? json : nil
    default: return nil
    }
  }

  var isSecret: Bool { path.contains { SecretName.isSecret($0) } || SecretName.isSecret(value: value) }

  /// The value as a field of its own: `expMonth` is labelled `exp month`.
  var field: ExtraField {
    let name = path.last.map { SecretName.words($0).joined(separator: " ") } ?? ""
    return ExtraField(label: name.isEmpty ? path.last ?? "" : name, value: value, concealed: isSecret)
  }
}
