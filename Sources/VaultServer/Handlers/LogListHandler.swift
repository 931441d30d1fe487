import VaultProtocol
import VaultSession

enum LogListHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: LogList, _ context: SessionContext) throws -> Outcome<LogList.Response> {
    Outcome(LogList.Response(items: try context.session.log(limit: request.limit)))
  }
}
