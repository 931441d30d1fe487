public import VaultInterface

/// How to interpret a file; what is not set is detected.
public struct ImportOptions: Hashable, Sendable {
  /// The format; nil to detect it from the content.
  public var format: ImportFormat?
  /// The encoding of the text; nil to detect it.
  public var encoding: TextEncoding?
  /// The targets of columns by name.
  public var mapping: [String: String]
  /// The type of cards whose type the table does not say; nil to detect it from their values.
  public var type: CardType?
  /// The group of cards whose group the file does not say.
  public var group: CardGroup
  /// The language of the labels that cards get.
  public var language: Language

  public init(
    format: ImportFormat? = nil, encoding: TextEncoding? = nil, mapping: [String: String] = [:],
    type: CardType? = nil, group: CardGroup = .personal, language: Language = .english
  ) {
    (self.format, self.encoding, self.mapping, self.type) = (format, encoding, mapping, type)
    (self.group, self.language) = (group, language)
  }
}
