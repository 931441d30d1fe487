import VaultProtocol

enum CardCreateHandler: Handler {
  static func answer(
    _ request: CardCreate, _ context: WorkContext
  ) async throws -> Outcome<SavedCardResponse> {
    var draft = request.draft
    draft.tags = try await context.spelled(draft.tags)
    let (card, warnings) = try context.session.createCard(draft, lacksGroup: request.lacksGroup)
    return Outcome(
      SavedCardResponse(card, warnings: warnings, language: context.language), .created, context.language)
  }
}
