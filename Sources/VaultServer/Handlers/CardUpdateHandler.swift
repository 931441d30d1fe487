import VaultProtocol

enum CardUpdateHandler: Handler {
  static func answer(
    _ request: CardUpdate, _ context: WorkContext
  ) async throws -> Outcome<SavedCardResponse> {
    var change = request.change
    if let tags = change.tags {
      change.tags = try await context.spelled(tags, for: context.session.card(request.id))
    }
    let (card, warnings) = try context.session.updateCard(request.id, revision: request.revision, change)
    return Outcome(
      SavedCardResponse(card, warnings: warnings, language: context.language), .updated, context.language)
  }
}
