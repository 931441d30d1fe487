extension Card {
  /// The card as a compact JSON object (RFC 8259) with its members in a fixed order.
  var jsonText: String {
    let fields = orderedFields.map { JSONText.member($0.field.key, JSONText.string($0.value)) }
    let extras = extraFields.map { field in
      JSONText.object([
        JSONText.member("label", JSONText.string(field.label)),
        JSONText.member("value", JSONText.string(field.value)),
        JSONText.member("concealed", field.concealed ? "true" : "false"),
      ])
    }
    return JSONText.object([
      JSONText.member("title", JSONText.string(title)),
      JSONText.member("group", JSONText.string(group.rawValue)),
      JSONText.member("type", JSONText.string(type.rawValue)),
      JSONText.member("tags", JSONText.array(tags.map(JSONText.string))),
      JSONText.member("fields", JSONText.object(fields)),
      JSONText.member("extraFields", JSONText.array(extras)),
    ])
  }
}

/// Parts of JSON text.
private enum JSONText {
  static func object(_ members: [String]) -> String {
    "{" + members.joined(separator: ",") + "}"
  }

  static func array(_ values: [String]) -> String {
    "[" + values.joined(separator: ",") + "]"
  }

  static func member(_ name: String, _ value: String) -> String {
    string(name) + ":" + value
  }

  /// A string with the escapes that RFC 8259, section 7, asks for and no others.
  static func string(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    result.append("\"")
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result.append(contentsOf: "\\\"".unicodeScalars)
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\u{8}": result.append(contentsOf: "\\b".unicodeScalars)
      case "\u{C}": result.append(contentsOf: "\\f".unicodeScalars)
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        let zeros = String(repeating: "0", count: 4 - digits.utf8.count)
        result.append(contentsOf: ("\\u" + zeros + digits).unicodeScalars)
      default: result.append(scalar)
      }
    }
    result.append("\"")
    return String(result)
  }
}
