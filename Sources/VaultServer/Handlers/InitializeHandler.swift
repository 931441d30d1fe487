import VaultProtocol

enum InitializeHandler: Handler {
  static let access = Access.reading
  static let isOpenToAll = true

  static func answer(_ request: Initialize, _ context: ClientContext) -> Outcome<Initialize.Answer> {
    if let locale = request.locale {
      context.client.setLocale(locale)
    }
    if let process = request.processIdentifier {
      context.client.watchProcess(process)
    }
    context.client.answersConsent = request.answersConsent
    return Outcome(
      Initialize.Answer(
        protocolVersion: Server.protocolVersion, version: Server.version,
        language: (context.chosenLanguage ?? context.client.language).rawValue))
  }
}
