import VaultModel
import VaultProtocol

enum InitializeHandler: Handler {
  static func answer(
    _ request: Initialize, in conversation: isolated Conversation
  ) async throws -> Outcome<Initialize.Answer> {
    if let locale = request.locale {
      conversation.clientLocale = locale
      conversation.clientLanguage = Language(locale: locale)
    }
    if let process = request.processIdentifier {
      conversation.clientProcess = process
      conversation.watchClient()
    }
    return Outcome(
      Initialize.Answer(
        protocolVersion: Server.protocolVersion, version: Server.version,
        language: conversation.language.rawValue))
  }
}
