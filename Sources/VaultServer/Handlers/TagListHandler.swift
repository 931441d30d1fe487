import VaultProtocol

enum TagListHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: TagList, _ context: WorkContext) async throws -> Outcome<TagList.Response> {
    Outcome(TagList.Response(tags: try await context.read { try $0.tags() }))
  }
}
