import VaultModel
import VaultProtocol

enum CardSetPinnedHandler: Handler {
  static func answer(_ request: CardSetPinned, _ context: SessionContext) throws -> Outcome<CardResponse> {
    let change = CardChange(pinned: request.isPinned)
    let (card, _) = try context.session.updateCard(request.id, revision: nil, change)
    return Outcome(
      CardResponse(card, language: context.language), request.isPinned ? .pinned : .unpinned, context.language
    )
  }
}
