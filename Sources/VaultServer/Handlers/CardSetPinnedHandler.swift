import VaultModel
import VaultProtocol

enum CardSetPinnedHandler: Handler {
  static func answer(_ request: CardSetPinned, in conversation: isolated Conversation) async throws
    -> Outcome<CardAnswer>
  {
    let change = CardChange(pinned: request.isPinned)
    let (card, _) = try conversation.session.updateCard(request.id, revision: nil, change)
    return Outcome(
      CardAnswer(card, language: conversation.language),
      telling: [conversation.notification(of: request.isPinned ? .pinned : .unpinned)])
  }
}
