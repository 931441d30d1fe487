import VaultModel

/// Interprets single cells of a table.
extension CSVRow {
  static func type(_ cell: String) -> CardType? {
    CardType.allCases.first { named(cell, $0.rawValue, $0.label) }
  }

  static func group(_ cell: String) -> CardGroup? {
    CardGroup.allCases.first { named(cell, $0.rawValue, $0.label) }
  }

  static func boolean(_ cell: String) -> Bool {
    ["1", "true", "yes", "是", "✓"].contains(cell.trimmed.lowercased())
  }

  private static func named(_ cell: String, _ name: String, _ label: Localized) -> Bool {
    let cell = cell.trimmed.lowercased()
    return [name, label.english.lowercased(), label.simplifiedChinese].contains(cell)
  }

  /// The parts of a cell between commas or semicolons of any width; a backslash makes the next one part of the text.
  static func list(_ cell: String) -> [String] {
    var parts = [String.UnicodeScalarView()]
    var isEscaped = false
    for scalar in cell.unicodeScalars {
      if isEscaped {
        parts[parts.count - 1].append(scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else if Self.listSeparators.contains(scalar) {
        parts.append(String.UnicodeScalarView())
      } else {
        parts[parts.count - 1].append(scalar)
      }
    }
    return parts.map { String($0) }.filter { !$0.isBlank }
  }

  /// The separators of a list in a cell.
  static let listSeparators: Set<Unicode.Scalar> = [",", ";", "，", "；", "、", "\n"]

  /// Returns a folder path without the root folder.
  static func withoutRoot(_ path: String) -> String {
    path.split(separator: "/", maxSplits: 1).dropFirst().joined()
  }

  /// The addresses in a cell: Bitwarden puts commas between several.
  static func websites(_ cell: String) -> [String] {
    var websites: [String] = []
    for part in cell.split(separator: ",", omittingEmptySubsequences: false) {
      if websites.isEmpty || part.contains("://") {
        websites.append(String(part))
      } else {
        websites[websites.count - 1] += "," + part
      }
    }
    return websites
  }

  /// A time as tables contain it: RFC 3339, or seconds or milliseconds since 1970.
  static func time(_ cell: String) -> Timestamp? {
    let cell = cell.trimmed
    if let time = Timestamp(cell) { return time }
    guard let number = Int64(cell), number > 0 else { return nil }
    switch cell.utf8.count {
    case 9, 10: return Timestamp(milliseconds: number * 1_000)
    case 12, 13: return Timestamp(milliseconds: number)
    default: return nil
    }
  }
}
