package import Wire

/// `textDocument/completion` (LSP 3.17): the cards that match what was typed behind a trigger.
package struct CompletionRequest: RequestType {
  package static let method = "textDocument/completion"
  package typealias Response = JSON

  package let uri: String
  package let position: Position

  package init(_ parameters: inout Parameters) throws(ParameterError) {
    defer { parameters.ignoreRest() }
    uri = try parameters.documentURI()
    position = try parameters.required("position")
  }
}

extension Parameters {
  /// The `uri` of `textDocument`.
  mutating func documentURI() throws(ParameterError) -> String {
    let document: JSON = try required("textDocument")
    guard let uri = document["uri"]?.string else { throw ParameterError("textDocument.uri", .string) }
    return uri
  }
}

/// The answer to ``CompletionRequest`` (LSP 3.17, `CompletionList`). It names cards and fields, and no value.
package struct CompletionList: JSONConvertible {
  private let items: [JSON]

  /// A list that never stays valid: the next character asks again.
  ///
  /// - Parameters:
  ///   - suggestions: what can be inserted, the best first.
  ///   - word: what was typed.
  ///   - place: the place of `word` in its document.
  ///   - marker: returns the marker of a suggestion.
  package init(
    _ suggestions: [Suggestion], for word: TypedWord, at place: EditTarget, _ shape: CompletionShape,
    marker: (Suggestion) -> String
  ) {
    items = suggestions.enumerated().map { number, suggestion in
      let text = shape == .marker ? word.typed + marker(suggestion) : word.typed
      var item: [JSON.Member] = [
        .init("label", .string(suggestion.label)), .init("kind", 1),
        .init("detail", .string(suggestion.detail)),
        .init("sortText", .string(Self.padded(number))),
        .init("textEdit", ["range": place.range.json, "newText": .string(text)]),
      ]
      if shape == .command { item.append(Self.filterText(of: word)) }
      if shape != .marker {
        item.append(.init("command", suggestion.command(at: place).json(title: suggestion.label)))
      }
      return .object(item)
    }
  }

  /// A list of items that open the vault.
  package init(
    opening commands: [(command: VaultCommand.Name, title: String)], for word: TypedWord,
    at place: EditTarget, _ shape: CompletionShape
  ) {
    items = commands.enumerated().map { number, item in
      var members: [JSON.Member] = [
        .init("label", .string(item.title)), .init("kind", 1),
        .init("sortText", .string(Self.padded(number))),
        .init("textEdit", ["range": place.range.json, "newText": .string(word.typed)]),
        .init("command", ["title": .string(item.title), "command": .string(item.command.rawValue)]),
      ]
      if shape == .command { members.append(Self.filterText(of: word)) }
      return .object(members)
    }
  }

  /// No items.
  package init() { items = [] }

  package var json: JSON { ["isIncomplete": true, "items": .array(items)] }

  /// A text that begins with what was typed, with the trigger and without: clients compare either.
  private static func filterText(of word: TypedWord) -> JSON.Member {
    .init("filterText", .string(word.word.isEmpty ? word.typed : "\(word.word) \(word.typed)"))
  }

  private static func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(4 - digits.count, 0)) + digits
  }
}
