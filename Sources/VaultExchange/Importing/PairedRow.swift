import VaultInterface

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
