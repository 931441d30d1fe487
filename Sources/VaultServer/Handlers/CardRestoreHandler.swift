import VaultProtocol

enum CardRestoreHandler: Handler {
  static func answer(_ request: CardRestore, _ context: SessionContext) throws -> Outcome<CardResponse> {
    let session = context.session
    let card =
      switch request.card {
      case .id(let id): try session.restoreCard(id)
      case .name(let name): try session.restoreCard(named: name)
      }
    return Outcome(CardResponse(card, language: context.language), .restored, context.language)
  }
}
