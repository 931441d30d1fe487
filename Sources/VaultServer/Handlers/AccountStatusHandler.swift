import VaultProtocol

enum AccountStatusHandler: Handler {
  static let access = Access.reading
  static let countsAsActivity = false

  static func answer(
    _ request: AccountStatus, _ context: AccountContext
  ) throws -> Outcome<AccountResponse> {
    Outcome(try context.answer())
  }
}
