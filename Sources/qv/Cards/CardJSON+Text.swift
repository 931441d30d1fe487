import VaultInterface
import Wire

extension CardJSON {
  var shortID: String { id.short }

  /// A field of the template or one of the user's.
  struct ShownField {
    /// Nil for a field of the user's.
    let key: String?
    let label: String
    let value: String
    let isConcealed: Bool

    /// What the service takes for the field.
    var name: String { key ?? label }
  }

  /// The fields of the template, and then the user's.
  var shownFields: [ShownField] {
    let own = (extraFields ?? []).map {
      ShownField(key: nil, label: $0.label, value: $0.value, isConcealed: $0.concealed)
    }
    return (fields ?? []).map {
      ShownField(key: $0.key, label: $0.label, value: $0.value, isConcealed: $0.isConcealed)
    } + own
  }

  /// Type and group in brackets, for a line about the card.
  func kind(_ language: Language) -> String {
    let (type, group) = (type.name[language], group.name[language])
    return Localized("  (\(type), \(group))", "（\(type)，\(group)）")[language]
  }
}

/// A type or group of cards, which people name as the protocol does or in either language.
protocol NamedKind: CaseIterable, RawRepresentable<String> {
  var label: Localized { get }
}

extension CardType: NamedKind {}
extension CardGroup: NamedKind {}

extension NamedKind {
  var name: Localized { Localized(label.english.lowercased(), label.simplifiedChinese) }

  /// - Parameter word: the name on the wire, or what it is called in either language.
  init?(named word: String) {
    let folded = word.foldedName
    let found = Self.allCases.first {
      $0.rawValue == folded || $0.name.english == folded || $0.name.simplifiedChinese == word
    }
    guard let found else { return nil }
    self = found
  }
}

extension Identifier {
  /// The first digits, which people read and type.
  var short: String { String(description.prefix(8)) }

  /// Whether it is what a person typed, or begins with at least four digits of it.
  func isNamed(by text: String, guesses: Bool) -> Bool {
    let text = text.lowercased()
    return description == text || guesses && text.utf8.count >= 4 && description.hasPrefix(text)
  }
}
