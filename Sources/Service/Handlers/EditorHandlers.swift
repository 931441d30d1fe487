import VaultInterface
import Wire

extension Registry {
  @MethodList static var editors: [Method] {
    Method(.reading, countsAsActivity: false, isOpenToAll: true, answer: CompletionHandler.answer)

    Method(.reading, countsAsActivity: false, isOpenToAll: true, answer: CodeActionHandler.answer)

    Method(.reading, answer: ExecuteCommandHandler.answer)
  }
}

private enum CompletionHandler {
  static func answer(_ request: CompletionRequest, _ context: EditorContext) async throws -> Outcome<JSON> {
    Outcome(try await list(request, context).json)
  }

  private static func list(_ request: CompletionRequest, _ context: EditorContext) async throws
    -> CompletionList
  {
    guard let editor = context.editor, editor.client.shape != .none,
      let (word, place) = editor.word(in: request.uri, at: request.position)
    else { return CompletionList() }
    switch context.access {
    case .none: return CompletionList()
    case .opening(let commands):
      guard editor.client.shape != .marker else { return CompletionList() }
      return CompletionList(
        opening: commands.map { ($0, context.title(opening: $0)) }, for: word, at: place, editor.client.shape)
    case .open:
      return CompletionList(
        try await Suggestions.find(word, context.work), for: word, at: place, editor.client.shape,
        marker: { context.marker($0, for: word) })
    }
  }
}

private enum CodeActionHandler {
  /// The most actions that insert something, and that fill in a placeholder.
  private static let limit = 30

  static func answer(_ request: CodeActionRequest, _ context: EditorContext) async throws -> Outcome<JSON> {
    guard let editor = context.editor, request.wantsActions else { return Outcome([]) }
    let actions = try await actions(request, editor, context)
    return Outcome(.array(actions.map { $0.json(takesActions: editor.client.takesActions) }))
  }

  private static func actions(
    _ request: CodeActionRequest, _ editor: Editor, _ context: EditorContext
  ) async throws -> [CodeAction] {
    let placeholders = placeholders(request, editor)
    let words = words(request, editor)
    let savesSelection = request.isInvoked && !request.range.isEmpty
    guard !placeholders.isEmpty || !words.isEmpty || savesSelection else { return [] }
    switch context.access {
    case .none: return []
    case .opening(let commands):
      return commands.map { CodeAction(context.title(opening: $0), opening: $0) }
    case .open: break
    }
    let language = context.language
    var actions = placeholders.map { filling in
      CodeAction(Localized("Fill in \(filling.name)", "填入“\(filling.name)”")[language], .fill(filling))
    }
    actions += try await insertions(of: words, context)
    if savesSelection, let selection = editor.selection(request.range, of: request.uri) {
      actions.append(
        CodeAction(Localized("Save the selection as a card", "将所选文本存为卡片")[language], .save(selection)))
    }
    return actions
  }

  /// What the first of the words that stands for something can be replaced by.
  private static func insertions(
    of words: [(word: TypedWord, place: EditTarget)], _ context: EditorContext
  ) async throws -> [CodeAction] {
    for (word, place) in words {
      let found = try await Suggestions.find(word, context.work).prefix(limit)
      guard found.isEmpty else {
        return found.map { suggestion in
          CodeAction(
            Localized("Insert \(suggestion.label)", "插入“\(suggestion.label)”")[context.language],
            suggestion.command(at: place))
        }
      }
    }
    return []
  }

  /// The words that may be meant, the first one first.
  ///
  /// - A cursor may stand in the word, as in Neovim's normal mode, or behind it, before other text without white space.
  /// - A selection ends behind the word. One that contains the end of a line, which is what Helix sends for a cursor there, and
  ///   Kate 22.12 for any cursor in the line, ends there.
  private static func words(
    _ request: CodeActionRequest, _ editor: Editor
  ) -> [(word: TypedWord, place: EditTarget)] {
    let range = request.range
    let end = range.hasEndOfLine ? Position(line: range.start.line, character: .max) : range.end
    let words = [
      range.isEmpty ? editor.word(in: request.uri, around: end) : nil, editor.word(in: request.uri, at: end),
    ]
    return words.compactMap(\.self)
  }

  /// The placeholders in the line where the range begins, those that are nearest to it.
  private static func placeholders(_ request: CodeActionRequest, _ editor: Editor) -> [VaultCommand
    .PlaceholderTarget]
  {
    let number = request.range.start.line
    guard let document = editor.documents[request.uri], let line = document.line(number) else { return [] }
    let cursor = editor.client.encoding.index(in: line, after: request.range.start.character)
    let placeholders = Placeholder.near(cursor, in: line, count: limit)
    let ranges = placeholders.map { placeholder in
      let start = line.utf8.index(line.startIndex, offsetBy: placeholder.bytes.lowerBound)
      return start..<line.utf8.index(line.startIndex, offsetBy: placeholder.bytes.upperBound)
    }
    let places = document.places(of: ranges, in: line, number, of: request.uri, editor.client.encoding)
    return zip(places, placeholders).map { VaultCommand.PlaceholderTarget(place: $0, name: $1.name) }
  }
}

private enum ExecuteCommandHandler {
  static func answer(_ request: ExecuteCommand, _ context: EditorContext) async throws -> Outcome<JSON> {
    try context.requireOpen()
    switch request.command {
    case .insert(let insertion):
      let value = try CardValue(of: insertion.card, field: insertion.field, context)
      try await value.insert(at: insertion.place, as: request.command.name.rawValue, context)
    case .fill(let filling):
      let value = try await CardValue(named: filling.name, context)
      try await value.insert(at: filling.place, as: request.command.name.rawValue, context)
    // It is saved as `card/create`; here are only selections whose text is not known, or has changed.
    case .save(let selection):
      _ = try context.editor?.text(of: selection)
      throw EditError.unknownText
    }
    return Outcome(.null)
  }
}
