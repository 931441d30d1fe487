import VaultProtocol
import VaultSession

enum CardCopyHandler: Handler {
  static func answer(_ request: CardCopy, _ context: SessionContext) throws -> Outcome<CardCopy.Answer> {
    let form: CopyForm =
      switch request.form {
      case .field(let name): .field(name)
      case .style(let style): .style(style)
      case .template(let template): .template(template)
      }
    let (text, seconds) = try context.session.copy(request.id, as: form, in: context.language)
    return Outcome(
      CardCopy.Answer(text: text, clearAfterSeconds: seconds), .copied, context.language)
  }
}
