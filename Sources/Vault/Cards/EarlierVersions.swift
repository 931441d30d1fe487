import VaultCrypto
public import VaultInterface
import VaultStore
public import Wire

/// What a card contained before an edit (R1).
public struct EarlierVersion: Sendable {
  /// Names it among those of the card: eight hexadecimal digits that come from the content.
  public let name: String
  /// The card as it was, with the time of that modification and without attachments.
  public let card: Card
}

extension VaultSession {
  /// Returns what a card contained before, newest first.
  ///
  /// - Throws: ``VaultError/cardNotFound(_:)``, ``VaultError/damaged(_:)``, ``VaultError/locked``.
  public func earlierVersions(of id: Identifier) throws -> [EarlierVersion] {
    let vault = try unlocked()
    return try vault.reading { try vault.earlierVersions(of: id, $0) }
  }

  /// Returns one of the earlier versions of a card.
  ///
  /// - Throws: ``VaultError/versionNotFound``; as ``earlierVersions(of:)``.
  public func earlierVersion(of id: Identifier, named name: String) throws -> EarlierVersion {
    try earlierVersions(of: id).named(name)
  }

  /// Gives a card the contents of an earlier version, and keeps the present ones as the newest of these (R1). Attachments and pin
  /// stay as they are.
  ///
  /// - Parameters:
  ///   - name: nil for the newest version.
  ///   - revision: the revision that the caller has seen; nil for any.
  /// - Throws: ``VaultError/versionNotFound``; ``VaultError/conflict(_:)`` with the card as it is; ``VaultError/cardNotFound(_:)``.
  public func revertCard(_ id: Identifier, to name: String?, revision: Int?) throws -> Card {
    let vault = try unlocked()
    return try vault.change { transaction, change in
      try vault.replaceCard(id, at: revision, transaction, &change) { card in
        let versions = try vault.earlierVersions(of: id, transaction.read)
        let version = try name.map { try versions.named($0) } ?? versions.first
        guard var draft = version?.card.draft else { throw VaultError.versionNotFound }
        draft.pinned = card.pinned
        return (card.replaced(by: draft, at: vault.timeOfChange(clock)), [])
      }.card
    }
  }
}

extension OpenVault {
  fileprivate func earlierVersions(
    of id: Identifier, _ transaction: borrowing ReadTransaction
  ) throws -> [EarlierVersion] {
    let card = try card(id, at: nil, in: transaction)
    let records = try history(of: id, in: transaction)?.earlier.records ?? []
    // One that another machine has written may be malformed: it is not shown.
    return records.prefix(settings.number(.keptVersions)).compactMap { record in
      guard let old = try? record.withRawSpan({ try CardRecord.decode($0, id: id, revision: card.revision) }),
        let hash = try? SHA256.hash(of: record)
      else { return nil }
      return EarlierVersion(name: hash.prefix(4).hexadecimal, card: old)
    }
  }
}

extension [EarlierVersion] {
  fileprivate func named(_ name: String) throws -> EarlierVersion {
    guard let version = first(where: { $0.name == name.lowercased() }) else {
      throw VaultError.versionNotFound
    }
    return version
  }
}
