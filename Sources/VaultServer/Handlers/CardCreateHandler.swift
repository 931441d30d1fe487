import VaultProtocol

enum CardCreateHandler: Handler {
  static func answer(_ request: CardCreate, in conversation: isolated Conversation) async throws -> Outcome<
    SavedCardAnswer
  > {
    let (card, warnings) = try conversation.session.createCard(request.draft)
    return Outcome(
      SavedCardAnswer(card, warnings: warnings, language: conversation.language),
      telling: [conversation.notification(of: .created)])
  }
}
