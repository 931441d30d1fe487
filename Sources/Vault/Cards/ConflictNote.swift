import VaultInterface

/// The note at the end of a conflict copy's title.
enum ConflictNote {
  private static let suffix = Localized(" (conflict copy)", "（冲突副本）")

  /// Returns the title with the note in the vault's language or, for nil, in the title's own. It may become longer than a title that
  /// somebody enters: without the note, the copy would look like the card.
  static func added(to title: String, _ language: Language?) -> String {
    let language = language ?? (title.unicodeScalars.contains(where: isHan) ? .simplifiedChinese : .english)
    return title + suffix[language]
  }

  /// Returns the title without the note; nil if it has none.
  static func removed(from title: String) -> String? {
    let note = [suffix.english, suffix.simplifiedChinese].first { title.hasSuffix($0) && title != $0 }
    return note.map { String(title.dropLast($0.count)) }
  }

  private static func isHan(_ scalar: Unicode.Scalar) -> Bool {
    (0x3400...0x9FFF).contains(scalar.value) || (0x20000...0x323AF).contains(scalar.value)
  }
}
