import VaultInterface

/// The parts of a person's name.
struct PersonName: Hashable {
  var prefix = ""
  var given = ""
  var middle = ""
  var family = ""
  var suffix = ""

  /// The parts that are not blank, as address books order them.
  var parts: [String] { [family, given, middle, prefix, suffix].map(\.trimmed).filter { !$0.isBlank } }

  var isBlank: Bool { parts.isEmpty }

  /// The name as people of its language write it: the family first and without spaces in Chinese, Japanese and Korean.
  var text: String {
    let isEastern = (family + given).unicodeScalars.contains { scalar in
      scalar.properties.isIdeographic || 0x3041...0x30FF ~= scalar.value || 0xAC00...0xD7A3 ~= scalar.value
    }
    if isEastern { return [prefix, family, middle, given, suffix].map(\.trimmed).joined() }
    return [prefix, given, middle, family, suffix].map(\.trimmed).filter { !$0.isEmpty }.joined(
      separator: " ")
  }
}
