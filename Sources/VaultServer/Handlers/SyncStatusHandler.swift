import VaultProtocol

enum SyncStatusHandler: Handler {
  static let access = Access.reading
  static let countsAsActivity = false

  static func answer(_ request: SyncStatusRequest, _ context: SyncContext) throws -> Outcome<SyncResponse> {
    Outcome(try context.answer())
  }
}
