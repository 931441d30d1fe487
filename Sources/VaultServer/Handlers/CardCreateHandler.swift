import VaultProtocol

enum CardCreateHandler: Handler {
  static func answer(_ request: CardCreate, _ context: SessionContext) throws -> Outcome<SavedCardAnswer> {
    let (card, warnings) = try context.session.createCard(request.draft)
    return Outcome(
      SavedCardAnswer(card, warnings: warnings, language: context.language), .created, context.language)
  }
}
