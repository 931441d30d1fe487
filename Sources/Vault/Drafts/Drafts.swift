public import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// Returns the drafts of a client, newest first.
  ///
  /// - Throws: ``VaultError/locked``.
  public func drafts(of client: String) throws -> [FormDraft] {
    let vault = try unlocked()
    return try vault.reading { try vault.draftDocument($0).drafts.filter { $0.form.client == client } }
  }

  /// Returns the drafts of a form's client for the form's card, or for a new one of its type, newest first.
  ///
  /// - Throws: ``VaultError/locked``.
  public func drafts(like form: FormDraft.Form) throws -> [FormDraft] {
    try drafts(of: form.client).filter { $0.form.isForSameCard(as: form) }
  }

  /// Keeps a draft in place of the one of the same form. Beyond ``Limits/drafts`` and ``Limits/draftBytes``, the oldest go.
  ///
  /// - Throws: ``VaultError/locked``, ``VaultError/readOnly``.
  public func putDraft(_ form: FormDraft.Form, revision: Int?, text: String) throws {
    let vault = try unlocked()
    try vault.change { transaction, change in
      var document = try vault.draftDocument(transaction.read)
      let savedAt = Timestamp(milliseconds: clock.wall)
      document.put(FormDraft(form: form, revision: revision, savedAt: savedAt, text: text))
      _ = try vault.write(document.text, as: DraftDocument.name, transaction, &change)
    }
  }

  /// Deletes a draft. There need not be one.
  ///
  /// - Throws: ``VaultError/locked``, ``VaultError/readOnly``.
  public func discardDraft(_ form: FormDraft.Form) throws {
    let vault = try unlocked()
    guard try vault.reading({ try vault.hasDraft(of: form, $0) }) else { return }
    try vault.change { try vault.discardDraft(form, $0, &$1) }
  }

  /// Stores what a form's text says, and deletes the form's draft with it (R1, R12).
  ///
  /// - Parameters:
  ///   - edited: the text, with its tags as the vault writes them.
  ///   - revision: the revision that the caller has seen; nil for any.
  ///   - makesNewCard: whether the text becomes a new card, although the form is of another. Masks then stand for the values of
  ///     the other, if it is still there.
  /// - Throws: ``VaultError/conflict(_:)`` with the card as it is; `InvalidValues` with all issues and their lines (R21);
  ///   ``VaultError/cardNotFound(_:)``.
  public func saveForm(
    _ form: FormDraft.Form, _ edited: EditedForm, revision: Int?, makesNewCard: Bool = false
  ) throws -> SavedForm {
    let vault = try unlocked()
    if let id = form.card, !makesNewCard {
      let seen = try vault.reading { try vault.card(id, at: revision, in: $0) }
      let contents = edited.contents(over: seen.draft)
      guard contents.says(seen.draft) else {
        let (card, warnings) = try vault.change { transaction, change in
          let saved = try vault.replaceCard(id, at: revision, transaction, &change) { card in
            let isSeen = card.draft == seen.draft
            let (draft, warnings) = try (isSeen ? contents : edited.contents(over: card.draft)).checked()
            return (card.replaced(by: draft, at: vault.timeOfChange(clock)), warnings)
          }
          try vault.discardDraft(form, transaction, &change)
          return saved
        }
        return SavedForm(card: card, effect: .updated, warnings: warnings)
      }
      try discardDraft(form)
      return SavedForm(card: seen, effect: .none, warnings: [])
    }
    let (card, warnings) = try insertCard(into: vault) { transaction, change in
      try vault.discardDraft(form, transaction, &change)
      return try edited.contents(over: vault.draft(of: form, in: transaction.read)).checked()
    }
    return SavedForm(card: card, effect: .created, warnings: warnings)
  }
}

extension OpenVault {
  /// Reads the drafts. A document that does not open has none.
  fileprivate func draftDocument(_ transaction: borrowing ReadTransaction) throws -> DraftDocument {
    guard let row = try transaction.document(DraftDocument.name) else { return DraftDocument(nil) }
    return DraftDocument((try? reader.text(of: row)).flatMap { $0 }.flatMap(KeyValueText.init))
  }

  /// Deletes a draft. There need not be one.
  func discardDraft(
    _ form: FormDraft.Form, _ transaction: borrowing WriteTransaction, _ change: inout VaultChange
  ) throws {
    var document = try draftDocument(transaction.read)
    guard document.discard(form) else { return }
    if document.drafts.isEmpty {
      try removeDocument(DraftDocument.name, transaction, &change)
    } else {
      _ = try write(document.text, as: DraftDocument.name, transaction, &change)
    }
  }

  fileprivate func hasDraft(
    of form: FormDraft.Form, _ transaction: borrowing ReadTransaction
  ) throws -> Bool {
    var document = try draftDocument(transaction)
    return document.discard(form)
  }

  /// Returns the contents of the card that a form is of; nil for a new card, or if the card is gone.
  fileprivate func draft(of form: FormDraft.Form, in transaction: borrowing ReadTransaction) throws
    -> CardDraft?
  {
    guard let id = form.card else { return nil }
    do {
      let card = try card(id, at: nil, in: transaction)
      return card.type.kin.contains(form.type) ? card.draft : nil
    } catch VaultError.cardNotFound {
      return nil
    }
  }
}

/// A card as a form has saved it.
public struct SavedForm: Sendable {
  public enum Effect: Sendable {
    case created, updated
    /// The form says what is stored. Nothing was written.
    case none
  }

  public let card: Card
  public let effect: Effect
  public let warnings: [Issue]
}

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
