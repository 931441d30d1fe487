import VaultProtocol

enum CardUpdateHandler: Handler {
  static func answer(_ request: CardUpdate, in conversation: isolated Conversation) async throws -> Outcome<
    SavedCardAnswer
  > {
    let (card, warnings) = try conversation.session.updateCard(
      request.id, revision: request.revision, request.change)
    return Outcome(
      SavedCardAnswer(card, warnings: warnings, language: conversation.language),
      telling: [conversation.notification(of: .updated)])
  }
}
