import VaultInterface
import Wire

/// One row of a table that becomes a card.
struct CSVRow {
  private var title = ""
  private var type: CardType?
  private var group: CardGroup?
  private var name = PersonName()
  private var fields: [(key: String, label: String, value: String)] = []
  private var extendedAddress = ""
  private var addressOwner: String?
  private var login = Login()
  private var dates = EntryDates()
  private var warnings: [Issue] = []
  private var source: [SourceValue] = []
  private let options: ImportOptions

  /// Reads the cells of a row.
  init(_ row: CSVReader.Row, _ header: CSVHeader, _ options: ImportOptions) {
    self.options = options
    for (column, cell) in zip(header.columns, row.cells) where !cell.isEmpty {
      read(cell, column, header, line: row.line)
    }
    let rest = row.cells.dropFirst(header.columns.count)
    for (offset, cell) in rest.enumerated() where !cell.isBlank {
      let label = ImportMessages.column(header.columns.count + offset + 1)[options.language]
      source.append(SourceValue(label, cell, isSecret: header.hasSecrets))
    }
    if rest.contains(where: { !$0.isBlank }) {
      warnings.append(Issue(field: "", code: .unreadable, message: ImportMessages.extraCells))
    }
  }

  private mutating func read(_ cell: String, _ column: ColumnMapping, _ header: CSVHeader, line: Int) {
    let isPassword = column.target == .password || column.target == .oneTimePassword
    let cell = header.source == nil && !isPassword ? Self.withoutIdioms(cell) : cell
    if header.source == nil, !isPassword, Self.isShortened(cell) {
      warnings.append(ImportMessages.roundedNumber(column.column, line))
    }
    if !isPassword, column.target != .extraFields, let json = JSONLeaf.structure(of: cell) {
      return add(json, column)
    }
    if column.target == .field("notes"), let note = LastPassNote(cell) {
      source += note.fields.map { SourceValue(column.column, $0.value, isSecret: $0.concealed) }
      source.append(SourceValue(column.column, note.notes))
      login.others += note.fields
      return fields.append(("notes", column.column, note.notes))
    }
    let parts: [String] =
      switch column.target {
      case .tags: Self.tags(cell)
      case .folder where header.hasRootFolder: [Self.withoutRoot(cell)]
      case .pinned, .archived: Self.isBoolean(cell) ? [] : [cell]
      case .extraFields: []
      case .website where cell == "http://sn": []  // LastPass: not the address of a site, but a secure note.
      default: [cell]
      }
    for part in parts {
      var value = SourceValue(column.column, part, isSecret: isSecret(column, header))
      value.isIgnored = column.target == .ignored
      source.append(value)
    }
    add(cell, column, header)
  }

  private func isSecret(_ column: ColumnMapping, _ header: CSVHeader) -> Bool? {
    if case .extra(_, let concealed) = column.target { return concealed }
    return nil
  }

  private mutating func add(_ cell: String, _ column: ColumnMapping, _ header: CSVHeader) {
    switch column.target {
    case .title: title = title.isEmpty ? cell : title
    case .type: type = Self.type(cell)
    case .group:
      if let known = Self.group(cell) { group = known } else { login.tags.append(cell) }
    case .tags: login.tags += Self.tags(cell)
    case .folder: login.tags.append(header.hasRootFolder ? Self.withoutRoot(cell) : cell)
    case .pinned: login.isFavourite = Self.boolean(cell)
    case .archived:
      if Self.boolean(cell) || Self.time(cell) != nil {
        login.tags.append(ImportMessages.archived[options.language])
      }
    case .createdAt: dates.created = Self.time(cell)
    case .modifiedAt: dates.modified = Self.time(cell)
    case .givenName: name.given = cell
    case .middleName: name.middle = cell
    case .familyName: name.family = cell
    case .namePrefix: name.prefix = cell
    case .nameSuffix: name.suffix = cell
    case .extendedAddress: if ownsAddress(column) { extendedAddress = cell }
    case .field(let key):
      let isPart = PostalAddress.keys.contains(key)
      if isPart ? ownsAddress(column) && !has(key) : !has(key) { fields.append((key, column.column, cell)) }
    case .userName: login.userName = login.userName.isEmpty ? cell : login.userName
    case .password:
      if login.password.isEmpty { login.password = cell } else { conceal(column.column, cell) }
    case .website where cell != "http://sn": login.websites += Self.websites(cell)
    case .oneTimePassword:
      if login.oneTimePassword.isEmpty { login.oneTimePassword = cell } else { conceal(column.column, cell) }
    case .fieldLines: addLines(cell)
    case .extraFields: addExtraFields(cell, column)
    // A whole address beside its parts is kept where it says more than they.
    case .extra where column.column.hasSuffix(" - Formatted"): break
    case .extra(let label, let concealed):
      login.others.append(ExtraField(label: label, value: cell, concealed: concealed))
    case .website, .ignored: break
    }
  }

  private func has(_ key: String) -> Bool { fields.contains { $0.key == key } }

  /// Whether a column belongs to the address that the card gets: the first of several.
  private mutating func ownsAddress(_ column: ColumnMapping) -> Bool {
    let owner = ColumnName.addressOwner(column.column)
    if addressOwner == nil { addressOwner = owner }
    return addressOwner == owner
  }

  private mutating func conceal(_ label: String, _ value: String) {
    login.others.append(ExtraField(label: label, value: value, concealed: true))
  }

  /// Adds the values of an object that a program put into a cell.
  private mutating func add(_ json: JSON, _ column: ColumnMapping) {
    var isSecret = SecretName.isSecret(column.column)
    if case .extra(_, let concealed) = column.target { isSecret = isSecret || concealed }
    for leaf in JSONLeaf.all(of: json) {
      source.append(SourceValue(column.column, leaf.value, isSecret: isSecret || leaf.isSecret))
      if leaf.path == ["note"] || leaf.path == ["notes"] {
        fields.append(("notes", column.column, leaf.value))
      } else {
        var field = leaf.field
        field.concealed = field.concealed || isSecret
        login.others.append(field)
      }
    }
  }

  /// Bitwarden's custom fields: one per line; other lines continue the field before.
  private mutating func addLines(_ cell: String) {
    let first = login.others.count
    for line in cell.lines where !line.isBlank {
      if let colon = line.unicodeScalars.firstIndex(of: ":"), line[colon...].hasPrefix(": ") {
        let (label, value) = (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        let isSecret = SecretName.isSecret(label, value)
        login.others.append(ExtraField(label: label, value: value, concealed: isSecret))
      } else if login.others.count > first {
        login.others[login.others.count - 1].value += "\n" + line
      } else {
        login.others.append(ExtraField(label: ImportMessages.field[options.language], value: line))
      }
    }
  }

  private mutating func addExtraFields(_ cell: String, _ column: ColumnMapping) {
    if let json = try? JSONReader.read(Array(cell.utf8)), let fields = try? JSONCard.extraFields(json) {
      login.others += fields
      source += fields.map { SourceValue(column.column, $0.value, isSecret: $0.concealed) }
    } else {
      source.append(SourceValue(column.column, cell))
      warnings.append(
        Issue(field: "extraFields", code: .unreadable, message: ImportMessages.wrongCell(column.column)))
    }
  }

  // MARK: The card

  /// The entry: of the type that the row or the options name, else of the type that its values suggest, or a text card
  /// if required values are missing.
  func entry(line: Int) -> ImportEntry {
    if let type = type ?? options.type { return entry(card(type), line) }
    let keys = Set(fields.filter { !$0.value.isBlank }.map(\.key))
    let hasName = keys.contains("name") || !name.isBlank
    let likely: CardType? =
      if !keys.isDisjoint(with: ["taxId", "bankAccount"]) || keys.contains("companyName") && !hasName {
        .invoice
      } else if hasName, !keys.isDisjoint(with: ["province", "city", "address"]) {
        .address
      } else { nil }
    guard let likely else { return entry(card(.text), line) }
    for type in likely.kin {
      let typed = card(type)
      if typed.draft.normalized().validate().errors.isEmpty { return entry(typed, line) }
    }
    var text = card(.text)
    text.warn(Issue(field: "type", code: .keptAsText, message: ImportMessages.keptAsText))
    return entry(text, line)
  }

  private func entry(_ card: CardBuilder, _ line: Int) -> ImportEntry {
    card.entry(line: line, dates: dates, source: source)
  }

  /// The fields, with the parts of the address divided where the card has places for them.
  private func fields(of type: CardType) -> [(key: String, label: String, value: String)] {
    var fields = fields
    if !has("name"), !name.isBlank {
      fields.append(("name", ImportMessages.name[options.language], name.text))
    }
    guard type == .address else { return fields }
    func part(_ key: String) -> String { value(key) ?? "" }
    let address = PostalAddress(
      extended: extendedAddress, street: part("address"), city: part("city"), province: part("province"),
      district: part("district")
    ).divided
    let street = [address.street, address.extended].filter { !$0.isBlank }.joined(separator: " ")
    let divided = [
      ("province", address.province), ("city", address.city), ("district", address.district),
      ("address", street),
    ]
    return fields.filter { !PostalAddress.keys.contains($0.key) || $0.key == "postalCode" }
      + divided.filter { !$0.1.isBlank }.map { ($0.0, $0.0, $0.1) }
  }

  private func card(_ type: CardType) -> CardBuilder {
    let group = group ?? options.group
    let fields = fields(of: type)
    var login = login
    login.title =
      title.isBlank ? value("name") ?? (name.isBlank ? value("companyName") ?? "" : name.text) : title
    let own = fields.filter { type.template.field($0.key) != nil }
    let others = fields.filter { field in !own.contains { $0.key == field.key } }
    var card: CardBuilder
    if type == .text {
      login.notes = value("text") ?? value("notes") ?? ""
      let isText = value("text") == nil ? "notes" : "text"
      let isTitle = title.isBlank && !has("name") && !name.isBlank
      login.others =
        others.filter { $0.key != isText && !(isTitle && $0.key == "name") }
        .map { ExtraField(label: $0.label, value: $0.value) } + login.others
      card = login.cardBuilder(group: group, language: options.language)
    } else {
      card = CardBuilder(type, group: group, language: options.language)
      card.setTitle(login.title)
      for field in own { card.set(field.key, field.value) }
      for field in others { card.addExtra(field.label, field.value) }
      addLogin(login, to: &card)
    }
    for warning in warnings { card.warn(warning) }
    return card
  }

  private func value(_ key: String) -> String? {
    fields.first { $0.key == key && !$0.value.isBlank }?.value
  }

  /// Adds the parts of a login that a card of another type has no fields for.
  private func addLogin(_ login: Login, to card: inout CardBuilder) {
    card.addExtra(ImportMessages.userName[options.language], login.userName)
    card.addExtra(ImportMessages.password[options.language], login.password, concealed: true)
    for website in login.websites { card.addExtra(ImportMessages.website[options.language], website) }
    card.addExtra(ImportMessages.oneTimePassword[options.language], login.oneTimePassword, concealed: true)
    for field in login.others { card.addExtra(field.label, field.value, concealed: field.concealed) }
    for tag in login.tags { card.addTag(tag) }
    if login.isFavourite { card.pin() }
  }
}
