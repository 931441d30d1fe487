public import VaultInterface
public import Wire

extension VaultSession {
  /// Returns a card, or one field of it, as text for the clipboard (R18). Of a field with the key of one-time codes, this is the code
  /// of the moment.
  ///
  /// - Parameter includesConcealed: whether the whole card is copied with its concealed fields.
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/fieldNotFound(_:)``, ``VaultError/noTemplate``,
  ///   ``VaultError/templateInvalid(_:)``, ``VaultError/copyTooLong(limit:)``, ``VaultError/locked``; ``OneTimeCodeError``.
  public func copy(
    _ id: Identifier, as form: CopyForm, includesConcealed: Bool = false, in language: Language
  ) throws -> CopiedCard {
    let settings = try settings()
    let seconds = settings.seconds(.clipboardClearSeconds)
    let card = try card(id)
    if case .field(let name) = form, card.copiesCode(of: name) {
      let current = try oneTimeCode(id, field: name, isReading: true)
      return CopiedCard(text: current.code, clearAfterSeconds: seconds, secondsLeft: current.secondsLeft)
    }
    let (text, leftOut) = try text(of: card, as: form, includesConcealed, settings, language)
    return CopiedCard(text: text, leftOut: leftOut, clearAfterSeconds: seconds)
  }

  private func text(
    of stored: Card, as form: CopyForm, _ includesConcealed: Bool, _ settings: Settings, _ language: Language
  ) throws -> (String, [OmittedField]) {
    let card = settings.copiedNumbers == .digitsOnly ? stored.withPlainNumbers : stored
    do {
      switch form {
      case .field(let name):
        guard let value = card.value(of: name) else { throw VaultError.fieldNotFound(name) }
        return (value, [])
      case .style(let style):
        let style = style ?? settings.copyStyle(for: card.type)
        let template = try settings.copyTemplate(for: card.type).map { try CopyTemplate(parsing: $0) }
        let text = try (style == .json ? stored : card).text(
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
