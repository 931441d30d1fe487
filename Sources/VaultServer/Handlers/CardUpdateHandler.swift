import VaultProtocol

enum CardUpdateHandler: Handler {
  static func answer(_ request: CardUpdate, _ context: SessionContext) throws -> Outcome<SavedCardAnswer> {
    let (card, warnings) = try context.session.updateCard(
      request.id, revision: request.revision, request.change)
    return Outcome(
      SavedCardAnswer(card, warnings: warnings, language: context.language), .updated, context.language)
  }
}
