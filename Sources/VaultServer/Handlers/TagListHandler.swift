import VaultProtocol

enum TagListHandler: Handler {
  static func answer(_ request: TagList, in conversation: isolated Conversation) async throws -> Outcome<
    TagList.Answer
  > {
    Outcome(TagList.Answer(tags: try await conversation.session.tags()))
  }
}
