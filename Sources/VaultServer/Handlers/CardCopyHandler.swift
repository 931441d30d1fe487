import VaultProtocol
import VaultSession

enum CardCopyHandler: Handler {
  static func answer(_ request: CardCopy, in conversation: isolated Conversation) async throws -> Outcome<
    CardCopy.Answer
  > {
    let form: CopyForm =
      switch request.form {
      case .field(let name): .field(name)
      case .style(let style): .style(style)
      case .template(let template): .template(template)
      }
    let (text, seconds) = try conversation.session.copy(request.id, as: form, in: conversation.language)
    return Outcome(
      CardCopy.Answer(text: text, clearAfterSeconds: seconds),
      telling: [conversation.notification(of: .copied)])
  }
}
