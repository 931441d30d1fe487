import JSON
import LanguageServer
import VaultModel

enum ExecuteCommandHandler: Handler {
  typealias Request = ExecuteCommand
  static let access = VaultServer.Access.reading

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
