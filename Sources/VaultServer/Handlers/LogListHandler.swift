import VaultProtocol
import VaultSession

enum LogListHandler: Handler {
  static func answer(_ request: LogList, in conversation: isolated Conversation) async throws -> Outcome<
    LogList.Answer
  > {
    let entries = try conversation.session.log(limit: request.limit).map {
      LogList.Entry(time: $0.time, event: $0.event, means: $0.means, reason: $0.reason)
    }
    return Outcome(LogList.Answer(items: entries))
  }
}
