import VaultProtocol

enum ClientRequestConsentHandler: Handler {
  static let access = Access.reading
  static let isOpenToAll = true

  static func answer(
    _ request: ClientRequestConsent, _ context: ConsentContext
  ) async throws -> Outcome<UnlockResponse> {
    _ = try context.unlock.session.settings()
    try await context.requestConsent()
    return Outcome(try context.unlock.answer())
  }
}
