extension FormText {
  /// Reads an edited text.
  ///
  /// - Parameter stored: the card that is edited; nil for a new one.
  public func read(_ text: String, over stored: CardDraft? = nil) -> FormContents {
    EditedForm(text, self).contents(over: stored)
  }

  /// The title in a text, which need not be a form; empty if there is none.
  static func title(of text: String) -> String {
    let field = FormLines(text, last: nil).fields.first {
      FieldName.title.spellings.contains($0.label.foldedName)
    }
    return field?.value ?? ""
  }
}

/// The fields of an edited text, by the template of its card.
public struct EditedForm: Sendable {
  /// The number of issues of the text itself that are told. A text that was pasted can have one in each line.
  private static let maximumIssues = 100

  private let format: FormText
  private var fields: [String: FormLines.Field] = [:]
  private var extraFields: [FormLines.Field] = []
  private var extraFieldsLine: Int?
  private var issues: [Issue]
  /// The tags of the text.
  public var tags: [String]

  /// - Parameter format: the type of the card that the text is of.
  public init(_ text: String, _ format: FormText) {
    let lines = FormLines(text, last: format.lastField)
    (self.format, extraFieldsLine) = (format, lines.extraFieldsLine)
    issues = lines.strayLines.prefix(Self.maximumIssues).map(Issue.strayLine)
    let head: [FieldName] = [.title, .group, .tags] + (format.type.kin.count > 1 ? [.type] : [])
    let names = head + format.type.template.fields.map(FieldName.init)
    let keys = Dictionary(
      names.flatMap { name in name.spellings.map { ($0, name.name) } },
      uniquingKeysWith: { first, _ in first })
    for field in lines.fields {
      if field.isExtra {
        extraFields.append(field)
      } else if let key = keys[field.label.foldedName] {
        if fields[key] == nil { fields[key] = field } else { issues.append(.repeated(key, field.line)) }
      } else {
        issues.append(.unknownLabel(format.type, field.line))
      }
    }
    tags = FormQuoting.split(fields["tags"]?.value ?? "")
  }

  /// Returns what the text says about a card.
  ///
  /// A part that says what ``FormText/write(_:revealing:)`` would write for the stored card keeps its stored value, with its ends
  /// of lines.
  ///
  /// - Parameter stored: the card that is edited; nil for a new one.
  public func contents(over stored: CardDraft?) -> FormContents {
    let former = stored.map { EditedForm(format.write($0, revealing: .all), format) }
    var contents = FormContents(draft: stored ?? CardDraft(title: "", group: .personal, type: format.type))
    contents.issues = issues
    contents.lines = fields.mapValues(\.line)
    contents.lines["extraFields"] = extraFieldsLine
    contents.draft.tags = tags
    if let field = fields["group"], !field.value.isEmpty {
      let group = CardGroup.allCases.first { $0.names.contains(field.value.foldedName) }
      if let group { contents.draft.group = group } else { contents.issues.append(.unknownGroup(field.line)) }
    } else {
      contents.lacksGroup = true
    }
    if let field = fields["type"], !field.value.isEmpty {
      let type = format.type.kin.first { $0.names.contains(field.value.foldedName) }
      if let type {
        contents.draft.type = type
      } else {
        contents.issues.append(.unknownType(format.type, field.line))
      }
    }
    let title = fields["title"]?.value ?? ""
    if title != former?.fields["title"]?.value { contents.draft.title = title }
    for template in format.type.template.fields {
      let field = fields[template.key]
      let value = field?.value ?? ""
      if value == former?.fields[template.key]?.value { continue }
      if template.concealed, value == FormText.mask, stored?.fields[template.key] != nil { continue }
      contents.draft.fields[template.key] = value.isEmpty ? nil : value
      if let field, template != format.lastField, value.contains(FormText.mask) {
        contents.issues.append(.mask(template.key, field.line))
      }
    }
    let stored = ExtraFieldMatching(stored?.extraFields ?? [], former?.extraFields.map(\.value) ?? [])
    stored.read(extraFields, into: &contents)
    if contents.issues.count > Self.maximumIssues {
      contents.issues.removeLast(contents.issues.count - Self.maximumIssues)
    }
    return contents
  }
}

extension CardType {
  fileprivate var names: [String] { [rawValue, label.english, label.simplifiedChinese].map(\.foldedName) }
}

extension CardGroup {
  fileprivate var names: [String] { [rawValue, label.english, label.simplifiedChinese].map(\.foldedName) }
}

/// Finds the stored fields that an edited form means.
private struct ExtraFieldMatching {
  private let stored: [ExtraField]
  /// The stored values as a form has them.
  private let values: [String]

  init(_ stored: [ExtraField], _ values: [String]) {
    (self.stored, self.values) = (stored, values)
  }

  /// Reads the edited fields. An empty one goes, unless it was stored so.
  func read(_ typed: [FormLines.Field], into contents: inout FormContents) {
    var fields: [ExtraField] = []
    var masked: [(index: Int, line: Int, mayBeRenamed: Bool)] = []
    let matches = matches(typed)
    for (field, match) in zip(typed, matches) {
      var value = field.value
      if let match, value == values[match] || value == FormText.mask && stored[match].concealed {
        value = stored[match].value
      } else if value.isEmpty {
        continue
      } else if value.contains(FormText.mask) {
        let mayBeRenamed = match == nil && field.isConcealed && value == FormText.mask
        masked.append((fields.count, field.line, mayBeRenamed))
      }
      contents.lines["extraFields[\(fields.count)]"] = field.line
      fields.append(ExtraField(label: field.label, value: value, concealed: field.isConcealed))
    }
    // The label of one concealed field was changed.
    let left = Set(stored.indices.filter { stored[$0].concealed }).subtracting(matches.compactMap(\.self))
    if masked.count == 1, left.count == 1, let new = masked.first, new.mayBeRenamed, let old = left.first {
      fields[new.index].value = stored[old].value
      masked = []
    }
    contents.issues += masked.map { .mask("extraFields[\($0.index)].value", $0.line) }
    contents.draft.extraFields = fields
  }

  /// Returns the stored field for each edited one: that with its label, in whatever case and width if there is none else.
  private func matches(_ typed: [FormLines.Field]) -> [Int?] {
    var matches = [Int?](repeating: nil, count: typed.count)
    for spelling in [\.self, \.foldedName] as [KeyPath<String, String>] {
      var left: [String: [Int]] = [:]
      for index in stored.indices.reversed() where !matches.contains(index) {
        left[stored[index].label[keyPath: spelling], default: []].append(index)
      }
      for index in typed.indices where matches[index] == nil {
        matches[index] = left[typed[index].label[keyPath: spelling]]?.popLast()
      }
    }
    return matches
  }
}
