public import VaultInterface
public import Wire

extension VaultSession {
  /// Returns a card, or one field of it, as text for the clipboard (R18). Of a field with the key of one-time codes, this is the code
  /// of the moment.
  ///
  /// - Parameter includesConcealed: whether the whole card is copied with its concealed fields.
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/fieldNotFound(_:)``, ``VaultError/noTemplate``,
  ///   ``VaultError/templateInvalid(_:)``, ``VaultError/copyTooLong(limit:)``, ``VaultError/locked``; ``OneTimeCodeError``.
  public func copy(
    _ id: Identifier, as form: CopyForm, includesConcealed: Bool = false, in language: Language
  ) throws -> CopiedCard {
    let settings = try settings()
    let seconds = settings.seconds(.clipboardClearSeconds)
    let card = try card(id)
    if case .field(let name) = form, card.copiesCode(of: name) {
      let current = try oneTimeCode(id, field: name, isReading: true)
      return CopiedCard(text: current.code, clearAfterSeconds: seconds, secondsLeft: current.secondsLeft)
    }
    let (text, leftOut) = try text(of: card, as: form, includesConcealed, settings, language)
    return CopiedCard(text: text, leftOut: leftOut, clearAfterSeconds: seconds)
  }

  private func text(
    of stored: Card, as form: CopyForm, _ includesConcealed: Bool, _ settings: Settings, _ language: Language
  ) throws -> (String, [OmittedField]) {
    let card = settings.copiedNumbers == .digitsOnly ? stored.withPlainNumbers : stored
    do {
      switch form {
      case .field(let name):
        guard let value = card.value(of: name) else { throw VaultError.fieldNotFound(name) }
        return (value, [])
      case .style(let style):
        let style = style ?? settings.copyStyle(for: card.type)
        let template = try settings.copyTemplate(for: card.type).map { try CopyTemplate(parsing: $0) }
        let text = try (style == .json ? stored : card).text(
          as: style, in: language, template: template, includesConcealed: includesConcealed)
        return (text, card.omittedFields(of: style, in: language, includesConcealed: includesConcealed))
      case .template(let source):
        return (try card.text(as: .template, in: language, template: CopyTemplate(parsing: source)), [])
      }
    } catch CopyError.noTemplate {
      throw VaultError.noTemplate
    } catch CopyError.tooLong {
      throw VaultError.copyTooLong(limit: Limits.copiedBytes)
    } catch CopyError.templateInvalid(let error) {
      throw VaultError.templateInvalid(error)
    }
  }

  /// Returns the names that a card has; no value leaves the buffer, which is wiped.
  ///
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func names(of id: Identifier) throws -> CardNames {
    let vault = try unlocked()
    return try vault.reading { transaction in
      guard vault.index.trash[id] == nil, let row = try transaction.card(id) else {
        throw VaultError.cardNotFound(id)
      }
      return try vault.reader.withRecord(.card, id, row.revision, row.sealed) { try CardRecord.names(in: $0) }
    }
  }
}

/// The title, type and field names of a card, without values.
public struct CardNames: Sendable, Hashable {
  public let title: String
  public let type: CardType
  /// The fields with a value, in the order in which they are shown.
  public let fields: [FieldName]
  /// The first field with the key of one-time codes.
  fileprivate let oneTimeField: FieldName?

  /// Returns the title or the field with a key or a label, as ``Swift/Sequence/named(_:)`` finds it. `totp` stands for the key of
  /// one-time codes in a card without a field of this name.
  public func field(_ name: String) -> FieldName? {
    ([.title] + fields).named(name) ?? (name.foldedName == "totp" ? oneTimeField : nil)
  }
}

extension CardRecord {
  /// Reads the title, the type and the names of the fields of a record, without their values.
  ///
  /// - Throws: ``CardRecordError`` if the record is malformed.
  static func names(in record: RawSpan) throws(CardRecordError) -> CardNames {
    let type = try head(of: record).type
    let template = CardTemplate.all.first { $0.type == type }
    var (title, fields): (String, [FieldName]) = ("", [])
    var oneTimeField: FieldName?
    try forEachEntry(in: record) { role, isConcealed, key, value throws(CardRecordError) in
      switch role {
      case .title: title = try text(value)
      case .field:
        let name = try text(key)
        guard let field = template?.field(name) else { throw .misplacedField }
        fields.append(FieldName(field))
      case .extraField where value.isEmpty: break
      case .extraField:
        let beginning = unsafe value.withUnsafeBytes { unsafe String(decoding: $0.prefix(64), as: UTF8.self) }
        let field = ExtraField(label: try text(key), value: beginning, concealed: isConcealed)
        fields.append(FieldName(extraField: field.label, isConcealed: isConcealed))
        if oneTimeField == nil, field.isOneTimePassword { oneTimeField = fields.last }
      case .tag, .attachment: break
      }
    }
    return CardNames(title: title, type: type, fields: fields, oneTimeField: oneTimeField)
  }

  private static func text(_ bytes: RawSpan) throws(CardRecordError) -> String {
    guard let text = unsafe bytes.withUnsafeBytes({ unsafe String(validating: $0, as: UTF8.self) }) else {
      throw .invalidText
    }
    return text
  }
}
