import VaultModel
import VaultProtocol

enum TemplateListHandler: Handler {
  static func answer(_ request: TemplateList, in conversation: isolated Conversation) async throws -> Outcome<
    TemplateList.Answer
  > {
    Outcome(TemplateList.Answer(templates: CardTemplate.all))
  }
}
