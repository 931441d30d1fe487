import VaultProtocol

enum CardRestoreHandler: Handler {
  static func answer(_ request: CardRestore, _ context: SessionContext) throws -> Outcome<CardResponse> {
    let card = try context.session.restoreCard(request.id)
    return Outcome(CardResponse(card, language: context.language), .restored, context.language)
  }
}
