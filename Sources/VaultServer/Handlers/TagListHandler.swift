import VaultProtocol

enum TagListHandler: Handler {
  static func answer(_ request: TagList, _ context: SessionContext) throws -> Outcome<TagList.Answer> {
    Outcome(TagList.Answer(tags: try context.session.tags()))
  }
}
