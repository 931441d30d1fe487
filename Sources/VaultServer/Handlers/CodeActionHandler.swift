import JSON
import LanguageServer
import VaultModel

enum CodeActionHandler: Handler {
  typealias Request = CodeActionRequest
  static let access = VaultServer.Access.reading
  static let countsAsActivity = false
  static let isOpenToAll = true

  /// The most actions that insert something.
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

  /// The placeholders in the line where the range begins.
  private static func placeholders(_ request: CodeActionRequest, _ editor: Editor) -> [VaultCommand
    .PlaceholderTarget]
  {
    let number = request.range.start.line
    guard let document = editor.documents[request.uri], let line = document.line(number) else { return [] }
    return Placeholder.all(in: line).map { placeholder in
      let start = line.utf8.index(line.startIndex, offsetBy: placeholder.bytes.lowerBound)
      let end = line.utf8.index(line.startIndex, offsetBy: placeholder.bytes.upperBound)
      let place = document.place(
        of: start..<end, in: line, number, of: request.uri, editor.client.encoding)
      return VaultCommand.PlaceholderTarget(place: place, name: placeholder.name)
    }
  }
}
