import JSON
import VaultModel

/// One row of a table that becomes a card.
struct CSVRow {
  private var title = ""
  private var type: CardType?
  private var group: CardGroup?
  private var fields: [(key: String, label: String, value: String)] = []
  private var login = Login()
  private var dates = EntryDates()
  private var warnings: [Issue] = []
  private let options: ImportOptions

  /// Reads the cells of a row.
  init(_ row: CSVReader.Row, _ header: CSVHeader, _ options: ImportOptions) {
    self.options = options
    for (column, cell) in zip(header.columns, row.cells) where !cell.isEmpty { add(cell, column, header) }
    let rest = row.cells.dropFirst(header.columns.count)
    for (offset, cell) in rest.enumerated() where !cell.isBlank {
      let label = ImportMessages.column(header.columns.count + offset + 1)[options.language]
      login.others.append(ExtraField(label: label, value: cell))
    }
    if rest.contains(where: { !$0.isBlank }) {
      warnings.append(Issue(field: "", code: .unreadable, message: ImportMessages.extraCells))
    }
  }

  private mutating func add(_ cell: String, _ column: ColumnMapping, _ header: CSVHeader) {
    switch column.target {
    case .title: title = cell
    case .type:
      if let known = Self.type(cell) { type = known } else { addOther(column, cell) }
    case .group:
      if let known = Self.group(cell) { group = known } else { login.tags.append(cell) }
    case .tags: login.tags += Self.list(cell)
    case .folder: login.tags.append(header.hasRootFolder ? Self.withoutRoot(cell) : cell)
    case .pinned: login.isFavourite = Self.boolean(cell)
    case .archived:
      if Self.boolean(cell) { login.tags.append(ImportMessages.archived[options.language]) }
    case .createdAt:
      dates.created = Self.time(cell)
      if dates.created == nil { addOther(column, cell) }
    case .modifiedAt:
      dates.modified = Self.time(cell)
      if dates.modified == nil { addOther(column, cell) }
    case .field(let key): fields.append((key, column.column, cell))
    case .userName: login.userName = cell
    case .password: login.password = cell
    case .website: login.websites += Self.websites(cell)
    case .oneTimePassword: login.oneTimePassword = cell
    case .fieldLines: addLines(cell)
    case .extraFields: addExtraFields(cell, column)
    case .extra(let label, let concealed):
      login.others.append(ExtraField(label: label, value: cell, concealed: concealed))
    case .ignored: break
    }
  }

  private mutating func addOther(_ column: ColumnMapping, _ cell: String) {
    login.others.append(ExtraField(label: column.column, value: cell))
  }

  /// Bitwarden's custom fields: one per line; other lines continue the field before.
  private mutating func addLines(_ cell: String) {
    let first = login.others.count
    for line in cell.lines where !line.isBlank {
      if let colon = line.unicodeScalars.firstIndex(of: ":"), line[colon...].hasPrefix(": ") {
        login.others.append(
          ExtraField(label: String(line[..<colon]), value: String(line[colon...].dropFirst(2))))
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
    } else {
      addOther(column, cell)
      warnings.append(
        Issue(field: "extraFields", code: .unreadable, message: ImportMessages.wrongCell(column.column)))
    }
  }

  // MARK: The card

  /// The entry: of the type that the row or the options name, else of the type that its values suggest, or a text card
  /// if required values are missing.
  func entry(line: Int) -> ImportEntry {
    if let type = type ?? options.type { return card(type).entry(line: line, dates: dates) }
    let keys = Set(fields.filter { !$0.value.isBlank }.map(\.key))
    let likely: CardType? =
      if !keys.isDisjoint(with: ["taxId", "bankAccount", "companyName"]) {
        .invoice
      } else if keys.contains("name"), !keys.isDisjoint(with: ["province", "city", "address"]) {
        .address
      } else { nil }
    guard let likely else { return card(.text).entry(line: line, dates: dates) }
    let typed = card(likely)
    if typed.draft.normalized().validate().errors.isEmpty { return typed.entry(line: line, dates: dates) }
    var text = card(.text)
    text.warn(Issue(field: "type", code: .keptAsText, message: ImportMessages.keptAsText))
    return text.entry(line: line, dates: dates)
  }

  private func card(_ type: CardType) -> CardBuilder {
    let group = group ?? options.group
    var login = login
    login.title = title.isBlank ? value("name") ?? value("companyName") ?? "" : title
    let own = fields.filter { type.template.field($0.key) != nil }
    let others = fields.filter { field in !own.contains { $0.key == field.key } }
    var card: CardBuilder
    if type == .text {
      login.notes = value("text") ?? value("notes") ?? ""
      let isText = value("text") == nil ? "notes" : "text"
      login.others =
        others.filter { $0.key != isText }.map { ExtraField(label: $0.label, value: $0.value) } + login.others
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
