import VaultInterface

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

  static func isBoolean(_ cell: String) -> Bool {
    boolean(cell) || ["0", "false", "no", "否", ""].contains(cell.trimmed.lowercased())
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
    // Google puts ::: between groups, of which those with a star are its own.
    return parts.flatMap { String($0).split(separator: ":::").map(String.init) }
      .filter { !$0.isBlank && !$0.trimmed.hasPrefix("* ") }
  }

  /// The tags in a cell; those of macOS are a list in brackets with quotation marks.
  static func tags(_ cell: String) -> [String] {
    let text = cell.trimmed
    guard text.hasPrefix("{("), text.hasSuffix(")}") else { return list(cell) }
    return list(String(text.dropFirst(2).dropLast(2))).map { part in
      let part = part.trimmed
      return part.count > 1 && part.hasPrefix("\"") && part.hasSuffix("\"")
        ? String(part.dropFirst().dropLast()) : part
    }
  }

  /// What a spreadsheet means by a cell: `="0755-1"` and `'0755` are texts.
  static func withoutIdioms(_ cell: String) -> String {
    if cell.hasPrefix("=\""), cell.hasSuffix("\""), cell.count > 2 {
      return String(cell.dropFirst(2).dropLast())
    }
    guard cell.hasPrefix("'"), !cell.dropFirst().contains("'"), let next = cell.dropFirst().first,
      next.isNumber || "=+-@".contains(next)
    else { return cell }
    return String(cell.dropFirst())
  }

  /// Whether a spreadsheet shortened a number: `6.22575E+15`.
  static func isShortened(_ cell: String) -> Bool {
    let sides = cell.trimmed.uppercased().split(separator: "E+", omittingEmptySubsequences: false)
    return sides.count == 2 && !sides[1].isEmpty && sides[1].allSatisfy(\.isNumber)
      && Double(String(sides[0])) != nil && sides[0].first?.isNumber ?? false
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

  /// A time as tables contain it: RFC 3339, a date with or without a time (of UTC), or seconds or milliseconds since 1970.
  static func time(_ cell: String) -> Timestamp? {
    let cell = cell.trimmed
    if let time = Timestamp(cell) { return time }
    let numbers = cell.split { !$0.isNumber }.map { $0.count == 1 ? "0" + $0 : String($0) }
    let isDate = cell.allSatisfy { $0.isNumber || "-/.:年月日 T".contains($0) } && numbers.first?.count == 4
    if isDate, [3, 5, 6].contains(numbers.count) {
      let time = numbers.dropFirst(3) + ["00", "00", "00"]
      return Timestamp(
        numbers.prefix(3).joined(separator: "-") + "T" + time.prefix(3).joined(separator: ":") + "Z")
    }
    guard let number = Int64(cell), number > 0 else { return nil }
    switch cell.utf8.count {
    case 9, 10: return Timestamp(milliseconds: number * 1_000)
    case 12, 13: return Timestamp(milliseconds: number)
    default: return nil
    }
  }
}

/// A row that has a title and then the name of each value before it, as Enpass writes them: `Shop,Username,fang,*Password,…`.
/// A star marks what is secret. A text without a name at the end is the notes.
struct PairedRow {
  private var login = Login()
  private var source: [SourceValue] = []
  private let options: ImportOptions

  /// Whether the rows of a table are such rows: names of logins are in the second, fourth and further cells only.
  static func recognizes(_ rows: [[String]]) -> Bool {
    if let first = rows.first, isHeader(first) { return true }
    guard let first = rows.first, first.count >= 5 else { return false }
    let names = { (cells: [String], parity: Int) in
      cells.enumerated().count { $0 % 2 == parity && $0 > 0 && ColumnName.knownCount([$1]) > 0 }
    }
    guard names(first, 1) >= 2, names(first, 0) == 0, ColumnName.knownCount([first[0]]) == 0 else {
      return false
    }
    return rows.count(where: { names($0, 0) == 0 }) * 2 > rows.count
      && (rows.count == 1 || rows.dropFirst().contains { names($0, 1) >= 1 })
  }

  /// Whether a row only says that names and values follow each other: `Title,Field,Value,Field,Value`.
  static func isHeader(_ cells: [String]) -> Bool {
    cells.prefix(5).map(ColumnName.plain) == ["title", "field", "value", "field", "value"]
  }

  init(_ cells: [String], _ options: ImportOptions) {
    self.options = options
    login.title = cells.first ?? ""
    var place = 1
    while place + 1 < cells.count {
      add(cells[place], cells[place + 1])
      place += 2
    }
    if place < cells.count { login.notes = cells[place] }
    source += [SourceValue("title", login.title), SourceValue("notes", login.notes)]
  }

  private mutating func add(_ name: String, _ value: String) {
    guard !value.isBlank else { return }
    let label = name.trimmed.hasPrefix("*") ? String(name.trimmed.dropFirst()) : name
    source.append(SourceValue(label, value, isSecret: label != name ? true : nil))
    switch ColumnName.target(label) {
    case .userName? where login.userName.isEmpty: login.userName = value
    case .password? where login.password.isEmpty: login.password = value
    case .oneTimePassword? where login.oneTimePassword.isEmpty: login.oneTimePassword = value
    case .website?: login.websites.append(value)
    default:
      let isSecret = label != name || SecretName.isSecret(label, value)
      login.others.append(ExtraField(label: label, value: value, concealed: isSecret))
    }
  }

  func entry(line: Int) -> ImportEntry {
    login.cardBuilder(group: options.group, language: options.language).entry(line: line, source: source)
  }
}
