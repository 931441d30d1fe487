import VaultProtocol

enum CardGetHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: CardGet, _ context: SessionContext) throws -> Outcome<CardResponse> {
    Outcome(CardResponse(try context.session.card(request.id), language: context.language))
  }
}
