package import Wire

extension SampleCard {
  /// The parameters of `card/create`.
  package var parameters: JSON {
    [
      "title": .string(title), "group": .string(group), "type": .string(type), "pinned": .bool(isPinned),
      "tags": .array(tags.map { .string($0) }),
      "fields": .object(fields.map { .init($0.key, .string($0.value)) }),
    ]
  }

  /// Whether text in lower case stands in the title, a value or a tag.
  public func mentions(_ text: String) -> Bool {
    ([title] + fields.map(\.value) + tags).contains { $0.lowercased().contains(text) }
  }
}
