import VaultModel
import VaultProtocol

enum CardConflictsHandler: Handler {
  static let access = Access.reading

  static func answer(
    _ request: CardConflicts, _ context: WorkContext
  ) async throws -> Outcome<CardConflicts.Response> {
    let (listed, leftOut) = Merge.limited(try await context.read { try $0.conflicts() })
    return Outcome(CardConflicts.Response(conflicts: listed, leftOut: leftOut))
  }
}
