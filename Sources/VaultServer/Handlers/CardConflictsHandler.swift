import VaultModel
import VaultProtocol

enum CardConflictsHandler: Handler {
  static let access = Access.reading

  static func answer(
    _ request: CardConflicts, _ context: WorkContext
  ) async throws -> Outcome<CardConflicts.Response> {
    Outcome(CardConflicts.Response(all: try await context.read { try $0.conflicts() }))
  }
}
