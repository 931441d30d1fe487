import JSON
import VaultModel
import VaultProtocol

/// The unsaved text of forms, which the vault keeps encrypted. A form that is not saved becomes a draft, and the next command for
/// the same card, or for a new one of the same type, offers it.
struct FormDrafts {
  private let invocation: Invocation
  /// What tells the draft from others.
  private let place: [JSON.Member]
  private let revision: Int?

  /// - Parameter card: the card that is edited; nil for a new one.
  init(_ invocation: Invocation, type: String, card: Card? = nil) {
    self.invocation = invocation
    revision = card?.revision
    place =
      [.init("client", "qv"), .init("type", .string(type))]
      + (card.map { [.init("card", .string($0.id))] } ?? [])
  }

  /// Calls `body`, and keeps the form as a draft if that fails.
  ///
  /// - Parameter unchanged: the form without what was typed.
  func keeping(
    _ form: inout CardForm, unless unchanged: CardForm, _ body: (inout CardForm) throws(Failure) -> Void
  ) throws(Failure) {
    do throws(Failure) {
      try body(&form)
    } catch {
      if Terminal.isInteractive, form != unchanged { keep(form) }
      throw error
    }
  }

  private func keep(_ form: CardForm) {
    var members = place + [.init("text", .string(form.creation(pinned: false).text))]
    if let revision { members.append(.init("revision", .integer(revision))) }
    let isKept =
      if case .success? = try? invocation.vault.send(DraftPut.method, .object(members)) { true } else {
        false
      }
    let command = revision == nil ? "qv new" : "qv edit"
    if isKept {
      invocation.report(
        "what you typed is kept as a draft, which \(command) offers", "您输入的内容已存为草稿，可用 \(command) 继续")
    } else {
      invocation.report("what you typed was not kept: the vault cannot be used", "无法使用保险库，您输入的内容未能保留")
    }
  }

  /// Offers the draft of a form, which is deleted if the answer is no.
  ///
  /// - Returns: the form with the draft, and the revision of the card that it was made from; nil without one.
  func offered(for form: CardForm) throws(Failure) -> (form: CardForm, revision: Int?)? {
    let parameters: JSON = ["client": "qv"]
    let drafts = try invocation.vault.request(DraftGet.method, parameters)["items"]?.elements ?? []
    guard
      let draft = drafts.first(where: { draft in
        place.allSatisfy { draft[$0.name] == $0.value } && isOfCard(draft)
      }),
      let text = draft["text"]?.string, let content = try? JSONReader.read(Array(text.utf8))
    else { return nil }
    let saved = form.with(content)
    let time = LocalTime.text(draft["savedAt"]?.string ?? "")
    let question = invocation.text(
      "Continue with the draft “\(saved.title.oneLine)” of \(time)? (n deletes it) [Y/n]",
      "要继续编辑 \(time) 的草稿“\(saved.title.oneLine)”吗？（n 表示删除草稿）[Y/n]")
    guard try invocation.terminal.confirm(question, defaultAnswer: true) else {
      discard()
      return nil
    }
    return (saved, draft["revision"]?.integer)
  }

  private func isOfCard(_ draft: JSON) -> Bool { (draft["card"] != nil) == (revision != nil) }

  func discard() { _ = try? invocation.vault.send(DraftDiscard.method, .object(place)) }
}

extension CardForm {
  /// The form with the content that ``creation(pinned:)`` has written.
  fileprivate func with(_ content: JSON) -> CardForm {
    var form = self
    form.title = content["title"]?.string ?? ""
    form.group = content["group"]?.string ?? ""
    form.tags = content["tags"]?.elements.compactMap(\.string) ?? []
    for index in form.fields.indices {
      form.fields[index].value = content["fields"]?[form.fields[index].key]?.string ?? ""
    }
    form.extraFields = (content["extraFields"]?.elements ?? []).map {
      ExtraField(
        label: $0["label"]?.string ?? "", value: $0["value"]?.string ?? "",
        isConcealed: $0["concealed"] == true)
    }
    return form
  }
}
