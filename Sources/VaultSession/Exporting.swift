public import Identifiers
public import VaultModel

extension VaultSession {
  /// The time, by the clock that the session goes by.
  public var now: Timestamp { Timestamp(milliseconds: clock.wall) }

  /// Begins a file under a name that a person gives, with mode 0600. The vault's own file is never replaced.
  ///
  /// - Throws: ``FileError``.
  public func beginFile(_ path: String, overwrites: Bool) throws -> FileWriter {
    try checkFile(path, overwrites: overwrites)
    return try FileWriter(UserPath(path), overwrites: overwrites)
  }

  /// The cards that a query finds, or all of them, in the order of R16.
  ///
  /// - Throws: `QueryError`, ``VaultError/locked``.
  public func cardIdentifiers(matching query: String?) throws -> [Identifier] {
    let vault = try unlocked()
    let query = try query.map { try SearchQuery(parsing: $0) }
    guard let query, !query.isEmpty else {
      return try vault.reading { _ in vault.index.cards(after: nil).map(\.id) }
    }
    return try vault.reading({ FoundCards(query) }) { found, _ in
      vault.index.cards(after: nil).map(\.id).filter { found.cards.contains($0) }
    }
  }
}
