import VaultInterface
import Wire

/// The document `drafts`: the unsaved text of forms, newest first.
struct DraftDocument {
  static let name = "drafts"

  private(set) var drafts: [FormDraft] = []

  /// Reads a document and skips incomplete drafts; nil makes an empty one.
  init(_ values: KeyValueText?) {
    guard let values else { return }
    for number in 0..<Limits.drafts {
      guard let draft = Self.draft(number, values) else { continue }
      drafts.append(draft)
    }
  }

  var text: String {
    var values = KeyValueText()
    for (number, draft) in drafts.enumerated() {
      values["\(number).client"] = draft.form.client
      values["\(number).type"] = draft.form.type.rawValue
      values["\(number).card"] = draft.form.card?.description
      values["\(number).form"] = draft.form.name
      values["\(number).revision"] = draft.revision.map(String.init)
      values["\(number).savedAt"] = String(draft.savedAt.milliseconds)
      values["\(number).text"] = draft.text
    }
    return values.text
  }

  /// Adds a draft in place of the one of the same form. The oldest drafts make room for it.
  mutating func put(_ draft: FormDraft) {
    discard(draft.form)
    drafts.insert(draft, at: 0)
    while drafts.count > Limits.drafts || drafts.count > 1 && text.utf8.count > Limits.draftBytes {
      drafts.removeLast()
    }
  }

  /// Removes the draft of a form.
  ///
  /// - Returns: whether there was one.
  @discardableResult mutating func discard(_ form: FormDraft.Form) -> Bool {
    let count = drafts.count
    drafts.removeAll { $0.form.client == form.client && $0.form.isSameForm(as: form) }
    return drafts.count < count
  }

  private static func draft(_ number: Int, _ values: KeyValueText) -> FormDraft? {
    guard let client = values["\(number).client"],
      let type = values["\(number).type"].flatMap(CardType.init(rawValue:)),
      let savedAt = values["\(number).savedAt"].flatMap(Int64.init), let text = values["\(number).text"]
    else { return nil }
    let form = FormDraft.Form(
      client: client, type: type, card: values["\(number).card"].flatMap(Identifier.init),
      name: values["\(number).form"])
    return FormDraft(
      form: form, revision: values["\(number).revision"].flatMap { Int($0) },
      savedAt: Timestamp(milliseconds: savedAt), text: text)
  }
}

extension FormDraft.Form {
  /// Returns whether both have one name, and are for the same card, or for a new one of the same type.
  fileprivate func isSameForm(as other: Self) -> Bool { name == other.name && isForSameCard(as: other) }

  /// Returns whether both are for the same card, or for a new one of the same type.
  func isForSameCard(as other: Self) -> Bool { card == other.card && (card != nil || type == other.type) }
}
