import VaultProtocol

enum CardGetHandler: Handler {
  static func answer(_ request: CardGet, _ context: SessionContext) throws -> Outcome<CardAnswer> {
    Outcome(CardAnswer(try context.session.card(request.id), language: context.language))
  }
}
