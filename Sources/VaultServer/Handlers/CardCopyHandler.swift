import VaultProtocol
import VaultSession

enum CardCopyHandler: Handler {
  static func answer(_ request: CardCopy, _ context: SessionContext) throws -> Outcome<CardCopy.Answer> {
    let (text, seconds) = try context.session.copy(request.id, as: request.form, in: context.language)
    return Outcome(
      CardCopy.Answer(text: text, clearAfterSeconds: seconds), .copied, context.language)
  }
}
