import JSON
import LanguageServer
import VaultProtocol

enum InitializeHandler: Handler {
  static let access = Access.reading
  static let isOpenToAll = true

  static func answer(_ request: Initialize, _ context: ClientContext) -> Outcome<Initialize.Response> {
    if let locale = request.locale {
      context.client.setLocale(locale)
    }
    if let process = request.processIdentifier {
      context.client.watchProcess(process)
    }
    context.client.answersConsent = request.answersConsent
    if let client = LanguageClient(initialize: request.all) { context.client.setEditor(Editor(client)) }
    let language = (context.chosenLanguage ?? context.client.language).rawValue
    guard let editor = context.client.editor else {
      return Outcome(
        Initialize.Response(
          protocolVersion: Server.protocolVersion, version: Server.version, language: language))
    }
    let own: JSON = [
      "quickvault": ["protocolVersion": .integer(Server.protocolVersion), "locale": .string(language)]
    ]
    return Outcome(
      Initialize.Response(
        version: Server.version, capabilities: editor.client.capabilities(experimental: own)))
  }
}
