import VaultProtocol
import VaultSession

enum LogListHandler: Handler {
  static func answer(_ request: LogList, _ context: SessionContext) throws -> Outcome<LogList.Answer> {
    let entries = try context.session.log(limit: request.limit).map {
      LogList.Entry(time: $0.time, event: $0.event, means: $0.means, reason: $0.reason)
    }
    return Outcome(LogList.Answer(items: entries))
  }
}
