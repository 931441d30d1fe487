import VaultProtocol

enum TagListHandler: Handler {
  static func answer(_ request: TagList, _ context: SessionContext) async throws -> Outcome<TagList.Answer> {
    Outcome(TagList.Answer(tags: try await context.session.tags()))
  }
}
