import VaultProtocol

enum DraftGetHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: DraftGet, _ context: SessionContext) throws -> Outcome<DraftGet.Response> {
    Outcome(DraftGet.Response(items: try context.session.drafts(of: request.client).map(DraftGet.Item.init)))
  }
}
