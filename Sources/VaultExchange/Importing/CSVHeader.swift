import VaultInterface

/// The row of a table that names the columns, with the target of each column.
struct CSVHeader {
  /// The columns with their targets, in order. Repeated names get a number.
  private(set) var columns: [ColumnMapping] = []
  /// The program whose export has these columns; nil for any other table.
  private(set) var source: String?
  /// What a person should know about the choice of targets.
  private(set) var warnings: [Issue] = []
  /// Whether folder paths begin with the root folder.
  var hasRootFolder: Bool { source == "KeePassXC" }
  /// How the cells escape quotation marks.
  var escapes: CSVReader.Escapes {
    switch source {
    case "KeePass": .backslashes
    case "1Password 7": .quotes
    default: .none
    }
  }
  /// Whether the table has secrets, so that what is unknown may be one.
  private(set) var hasSecrets = false

  /// Reads the row with the names.
  /// - Throws: ``ImportError`` for a mapping that does not fit it.
  init(_ cells: [String], _ options: ImportOptions) throws(ImportError) {
    let names = Self.names(cells, options.language)
    let plain = cells.map(ColumnName.plain)
    source = Self.sources.first { Set(plain).isSuperset(of: $0.columns) }?.name
    let targets = try Self.given(options.mapping, names)
    let isOwn = source == "QuickVault"
    let guesses: [ColumnTarget?] = cells.map { cell in
      if let target = ColumnTarget(cell.trimmed), isOwn || target.isExtra { return target }
      return ColumnName.target(cell)
    }
    hasSecrets =
      !isOwn && zip(guesses, cells).contains { $0 == .password || SecretName.isSecret($1) }
    for (index, (name, cell)) in zip(names, cells).enumerated() {
      var target = targets[name]
      var known = true
      if target == nil {
        target = special(plain[index], cell) ?? guesses[index]
        known = target != nil || cell.isBlank
        if case .extra("", let concealed) = target { target = .extra(name, concealed: concealed) }
      }
      let isConcealed = !isOwn && (hasSecrets || SecretName.isSecret(cell))
      columns.append(
        ColumnMapping(column: name, target: target ?? .extra(name, concealed: isConcealed), isKnown: known))
    }
    let known = columns.count(where: \.isKnown)
    // Nothing tells what is secret in a table of which hardly anything is known.
    if !isOwn, known < 2 {
      hasSecrets = true
      for index in columns.indices where !columns[index].isKnown {
        columns[index].target = .extra(columns[index].column, concealed: true)
      }
    }
    if options.mapping.isEmpty, known * 2 < columns.count {
      warnings.append(
        Issue(field: "mapping", code: .unclear, message: ImportMessages.fewColumns(known, columns.count)))
    }
  }

  /// The columns of a table without names, by what is in them.
  /// - Parameter rows: some rows of the table.
  init(guessedFrom rows: [[String]], _ options: ImportOptions) throws(ImportError) {
    let width = rows.map(\.count).max() ?? 0
    let names = Self.names([String](repeating: "", count: width), options.language)
    let given = try Self.given(options.mapping, names)
    var taken: Set<ColumnTarget> = []
    for (index, name) in names.enumerated() {
      let values = rows.compactMap { $0.indices.contains(index) ? $0[index] : nil }.filter { !$0.isBlank }
      var target = ColumnName.target(ofValues: values, isFirst: index == 0)
      if target == .title, rows.contains(where: { $0.contains { PhoneNumber.isValid($0) } }) {
        target = .field("name")
      }
      if let found = target, !found.allowsSeveralColumns, !taken.insert(found).inserted { target = nil }
      columns.append(
        ColumnMapping(column: name, target: given[name] ?? target ?? .extra(name, concealed: true)))
    }
    hasSecrets = true
    warnings = [Issue(field: "mapping", code: .unclear, message: ImportMessages.noHeader)]
  }

  /// The targets that a person gave to columns.
  private static func given(
    _ mapping: [String: String], _ names: [String]
  ) throws(ImportError) -> [String: ColumnTarget] {
    var given: [String: ColumnTarget] = [:]
    for (column, name) in mapping.sorted(by: { $0.key < $1.key }) {
      guard names.contains(column) else { throw .unknownColumn(column) }
      guard let target = ColumnTarget(name) else { throw .unknownTarget(column: column) }
      guard target.allowsSeveralColumns || !given.values.contains(target) else {
        throw .repeatedTarget(column: column)
      }
      given[column] = target
    }
    return given
  }

  private static func names(_ cells: [String], _ language: Language) -> [String] {
    var names: [String] = []
    var taken: Set<String> = []
    for (index, cell) in cells.enumerated() {
      let base = cell.isBlank ? ImportMessages.column(index + 1)[language] : cell.trimmed
      var (name, number) = (base, 2)
      while !taken.insert(name).inserted {
        name = "\(base) \(number)"
        number += 1
      }
      names.append(name)
    }
    return names
  }

  /// What a column is in the export of one program, or in a table of logins, and nowhere else.
  private func special(_ plain: String, _ cell: String) -> ColumnTarget? {
    switch (source, plain) {
    case ("QuickVault", _): nil
    case ("KeePass", "account"), ("NordPass", "name"): .title
    case ("KeePassXC", "group"): .folder
    case ("KeePassXC", "icon"), ("Bitwarden", "type"), ("Bitwarden", "reprompt"): .ignored
    case ("Bitwarden", "archiveddate"): .archived
    case ("Bitwarden", "fields"): .fieldLines
    case ("1Password", "archived"), ("1Password", "archivedstatus"): .archived
    case ("LastPass", "extra"): .field("notes")
    case ("Proton Pass", "vault"): .folder
    case ("Proton Pass", "email"): .extra(cell.trimmed, concealed: false)
    case (_, "name") where hasSecrets: .title
    default: nil
    }
  }

  private static let sources: [(name: String, columns: Set<String>)] = [
    ("QuickVault", ["title", "type", "group", "tags", "extrafields"]),
    ("Bitwarden", ["name", "loginuri", "loginusername", "loginpassword"]),
    ("KeePassXC", ["group", "title", "username", "password", "url", "notes"]),
    // What KeePass 1 writes, and KeePass 2 as “KeePass CSV (1.x)”.
    ("KeePass", ["account", "loginname", "password", "website", "comments"]),
    ("1Password 7", ["title", "urls", "passwordpassword"]),
    ("1Password 7", ["title", "type", "passwordpassword"]),
    ("1Password", ["title", "username", "password", "otpauth"]),
    ("1Password", ["title", "username", "password", "notesplain"]),
    ("LastPass", ["url", "username", "password", "extra", "name", "grouping", "fav"]),
    ("Proton Pass", ["type", "name", "url", "username", "password", "totp", "createtime", "vault"]),
    ("Dashlane", ["username", "username2", "username3", "title", "password", "otpsecret"]),
    ("RoboForm", ["name", "url", "matchurl", "login", "pwd", "note"]),
    ("NordPass", ["name", "url", "username", "password", "cardholdername", "cardnumber"]),
    ("Google", ["firstname", "lastname", "labels", "phone1value"]),
    ("Google", ["givenname", "familyname", "groupmembership"]),
  ]
}
