/// The spellings of tags: those that differ only in case or width are one tag, written as it was first written (R15).
public struct TagSpelling: Hashable, Sendable {
  private var spellings: [[UInt8]: String] = [:]

  /// Knows no tag.
  public init() {}

  /// Knows these tags.
  public init(_ tags: some Sequence<String>) {
    for tag in tags { _ = spell(tag) }
  }

  /// Returns tags in their first spelling, and remembers new ones.
  public mutating func spell(_ tags: [String]) -> [String] {
    tags.map { spell($0.trimmed) }
  }

  /// Returns a trimmed tag in its first spelling, and remembers it if it is new.
  public mutating func spell(_ tag: String) -> String {
    let key = tag.tagKey
    if let known = spellings[key] { return known }
    spellings[key] = tag
    return tag
  }
}

extension String {
  /// The key that equal tags share: the text without differences of case and width, in UTF-8.
  public var tagKey: [UInt8] { FoldedText(self).utf8 }
}
