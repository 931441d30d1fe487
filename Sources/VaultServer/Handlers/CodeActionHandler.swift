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
    let word = word(request, editor)
    let savesSelection = request.isInvoked && !request.range.isEmpty
    guard !placeholders.isEmpty || word != nil || savesSelection else { return [] }
    switch context.access {
    case .none: return []
    case .opening(let command): return [CodeAction(context.title(opening: command), opening: command)]
    case .open: break
    }
    let language = context.language
    var actions = placeholders.map { filling in
      CodeAction(Localized("Fill in \(filling.name)", "填入“\(filling.name)”")[language], .fill(filling))
    }
    if let (word, place) = word {
      actions += try await Suggestions.find(word, context.work).prefix(limit).map { suggestion in
        CodeAction(
          Localized("Insert \(suggestion.label)", "插入“\(suggestion.label)”")[language],
          suggestion.command(at: place))
      }
    }
    if savesSelection, let selection = editor.selection(request.range, of: request.uri) {
      actions.append(
        CodeAction(Localized("Save the selection as a card", "将所选文本存为卡片")[language], .save(selection)))
    }
    return actions
  }

  /// The word before the end of the range, or in a range that is a whole line, which is what Kate 22.12 sends for a cursor in
  /// it, the word at the line's end.
  private static func word(_ request: CodeActionRequest, _ editor: Editor) -> (
    word: TypedWord, place: EditTarget
  )? {
    let range = request.range
    let end = range.isLine ? Position(line: range.start.line, character: .max) : range.end
    return editor.word(in: request.uri, at: end)
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
