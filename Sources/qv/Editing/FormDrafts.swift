import VaultInterface
import Wire

/// The unsaved text of forms, which the vault keeps encrypted. A form that is not saved becomes a draft, and the next command for
/// the same card, or for a new one of the same type, offers it.
struct FormDrafts {
  static let client = "qv"

  private let invocation: Invocation
  /// What tells the draft from others.
  let place: FormDraft.Form
  private let revision: Int?

  /// - Parameter card: the card that is edited; nil for a new one.
  init(_ invocation: Invocation, type: CardType, card: CardJSON? = nil) {
    (self.invocation, revision) = (invocation, card?.revision)
    place = FormDraft.Form(client: Self.client, type: type, card: card?.id)
  }

  /// Calls `body`, and keeps the form as a draft if that fails.
  ///
  /// - Parameter unchanged: the form without what was typed.
  @discardableResult func keeping<Form: TypedForm, Result>(
    _ form: inout Form, unless unchanged: Form, _ body: (inout Form) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    do throws(Failure) {
      return try body(&form)
    } catch {
      if Terminal.isInteractive, form != unchanged { keep(form.text(in: invocation.language)) }
      throw error
    }
  }

  private func keep(_ text: String) {
    let request = DraftPut(form: place, revision: revision, text: text)
    let isKept = (try? invocation.vault.send(request).get()) != nil
    let command = revision == nil ? "qv new" : "qv edit"
    if isKept {
      invocation.report(
        "what you typed is kept as a draft, which \(command) offers", "您输入的内容已存为草稿，可用 \(command) 继续")
    } else {
      invocation.report("what you typed was not kept: the vault cannot be used", "无法使用保险库，您输入的内容未能保留")
    }
  }

  /// Offers the draft, which is deleted if the answer is no.
  ///
  /// - Returns: nil without one.
  func offered() throws(Failure) -> FormDraft? {
    let drafts = try invocation.vault.ask(DraftGet(client: Self.client)).items
    guard let draft = drafts.first(where: { $0.form == place }) else { return nil }
    let (title, time) = (draft.title.oneLine, draft.savedAt.local)
    let question = invocation.text(
      "Continue with the draft “\(title)” of \(time)? (n deletes it) [Y/n]",
      "要继续编辑 \(time) 的草稿“\(title)”吗？（n 表示删除草稿）[Y/n]")
    guard try invocation.terminal.confirm(question, defaultAnswer: true) else {
      discard()
      return nil
    }
    return draft
  }

  /// Returns the form of a draft, without masks that stand for nothing any more.
  ///
  /// - Parameter card: the form of the card, or an empty one.
  func form(_ draft: FormDraft, of card: CardForm) -> CardForm {
    let text = FormText(place.type, in: invocation.language)
    var form = CardForm(text.read(draft.text, over: card.draft(pinned: false)).draft)
    form.extraFields.removeAll { $0.value == FormText.mask }
    return form
  }

  func discard() { _ = try? invocation.vault.send(DraftDiscard(form: place)) }
}

/// What was typed into a form.
protocol TypedForm: Equatable {
  func text(in language: Language) -> String
}

extension String: TypedForm {
  func text(in language: Language) -> String { self }
}

extension CardForm: TypedForm {
  func text(in language: Language) -> String {
    FormText(type, in: language).write(draft(pinned: false), revealing: .all)
  }
}
