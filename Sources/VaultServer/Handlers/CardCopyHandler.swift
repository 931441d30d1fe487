import VaultProtocol
import VaultSession

enum CardCopyHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: CardCopy, _ context: SessionContext) throws -> Outcome<CardCopy.Response> {
    let (text, leftOut, seconds) = try context.session.copy(
      request.id, as: request.form, includesConcealed: request.includesConcealed, in: context.language)
    return Outcome(
      CardCopy.Response(text: text, leftOut: leftOut, clearAfterSeconds: seconds), .copied, context.language)
  }
}
