import VaultProtocol

enum CardGetHandler: Handler {
  static func answer(_ request: CardGet, in conversation: isolated Conversation) async throws -> Outcome<
    CardAnswer
  > {
    Outcome(CardAnswer(try conversation.session.card(request.id), language: conversation.language))
  }
}
