public import VaultInterface
public import Wire

extension VaultSession {
  /// Returns a card, or one field of it, as text for the clipboard (R18).
  ///
  /// - Parameter includesConcealed: whether the whole card is copied with its concealed fields.
  /// - Returns: the text, which fields of the card it does not have, and after how many seconds the clipboard is to be
  ///   cleared; nil for never.
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/fieldNotFound(_:)``, ``VaultError/noTemplate``,
  ///   ``VaultError/templateInvalid(_:)``, ``VaultError/copyTooLong(limit:)``, ``VaultError/locked``.
  public func copy(
    _ id: Identifier, as form: CopyForm, includesConcealed: Bool = false, in language: Language
  ) throws -> (text: String, leftOut: [OmittedField], clearAfterSeconds: Int?) {
    let card = try card(id)
    let settings = try settings()
    let (text, leftOut) = try text(of: card, as: form, includesConcealed, settings, language)
    return (text, leftOut, settings.seconds(.clipboardClearSeconds))
  }

  private func text(
    of card: Card, as form: CopyForm, _ includesConcealed: Bool, _ settings: Settings, _ language: Language
  ) throws -> (String, [OmittedField]) {
    do {
      switch form {
      case .field(let name):
        guard let value = card.value(of: name) else { throw VaultError.fieldNotFound(name) }
        return (value, [])
      case .style(let style):
        let template = try settings.copyTemplate(for: card.type).map { try CopyTemplate(parsing: $0) }
        let text = try card.text(
          as: style, in: language, template: template, includesConcealed: includesConcealed)
        return (text, card.omittedFields(of: style, in: language, includesConcealed: includesConcealed))
      case .template(let source):
        return (try card.text(as: .template, in: language, template: CopyTemplate(parsing: source)), [])
      }
    } catch CopyError.noTemplate {
      throw VaultError.noTemplate
    } catch CopyError.tooLong {
      throw VaultError.copyTooLong(limit: Limits.copiedBytes)
    } catch CopyError.templateInvalid(let error) {
      throw VaultError.templateInvalid(error)
    }
  }
}
