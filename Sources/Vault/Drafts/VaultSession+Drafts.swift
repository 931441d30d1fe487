public import VaultInterface
import VaultStore

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
}
