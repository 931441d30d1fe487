import JSON
import LanguageServer

enum CompletionHandler: Handler {
  typealias Request = CompletionRequest
  static let access = VaultServer.Access.reading
  static let countsAsActivity = false
  static let isOpenToAll = true

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
