public import Identifiers
public import VaultModel

extension VaultSession {
  /// Returns a card, or one field of it, as text for the clipboard (R18).
  ///
  /// - Returns: the text, and after how many seconds the clipboard is to be cleared; nil for never.
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/fieldNotFound(_:)``, ``VaultError/noTemplate``,
  ///   ``VaultError/templateInvalid(_:)``, ``VaultError/copyTooLong(limit:)``, ``VaultError/locked``.
  public func copy(
    _ id: Identifier, as form: CopyForm, in language: Language
  ) throws -> (text: String, clearAfterSeconds: Int?) {
    let card = try card(id)
    let settings = try settings()
    return (try text(of: card, as: form, settings, language), settings.clipboardClearSeconds)
  }

  private func text(
    of card: Card, as form: CopyForm, _ settings: Settings, _ language: Language
  ) throws -> String {
    do {
      switch form {
      case .field(let name):
        guard let value = card.value(of: name) else { throw VaultError.fieldNotFound(name) }
        return value
      case .style(let style):
        let template = try settings.copyTemplates[card.type].map { try CopyTemplate(parsing: $0) }
        return try card.text(as: style, in: language, template: template)
      case .template(let source):
        return try card.text(as: .template, in: language, template: CopyTemplate(parsing: source))
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
