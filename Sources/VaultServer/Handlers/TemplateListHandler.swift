import VaultModel
import VaultProtocol

enum TemplateListHandler: Handler {
  static let access = Access.reading
  static let isOpenToAll = true

  static func answer(_ request: TemplateList, _ context: NoContext) -> Outcome<TemplateList.Response> {
    Outcome(TemplateList.Response(templates: CardTemplate.all))
  }
}
