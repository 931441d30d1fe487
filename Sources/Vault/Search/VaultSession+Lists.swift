public import VaultInterface
import VaultStore

extension VaultSession {
  /// The number of cards from which lists are not begun on the session's thread: they would not end there.
  private static let longListCount: UInt64 = 50_000

  /// Reads lists at once.
  ///
  /// - Returns: nil if that would take long.
  /// - Throws: ``VaultError/locked``; what `read` throws.
  public func readAtOnce<Value>(_ read: (CardLists) throws -> Value) throws -> Value? {
    let vault = try unlocked()
    guard vault.head.cardCount < Self.longListCount else { return nil }
    do {
      return try vault.reader.checking(.short) { try read(CardLists(vault)) }
    } catch is WorkLimitExceeded {
      return nil
    }
  }

  /// Reads lists in the background. It is cancelled with the task, and when the vault is locked.
  ///
  /// - Throws: as ``readAtOnce(_:)``, and `CancellationError`; ``VaultError/unavailable(_:)`` if other processes write all the
  ///   time.
  public func readInBackground<Value: Sendable>(
    _ read: @escaping @Sendable (CardLists) throws -> Value
  ) async throws -> Value {
    try await onCopy { vault in try vault.reader.checking(.cancellable) { try read(CardLists(vault)) } }
  }

  /// Returns whether SQLite's check of every page finds no error. Reads the whole file, in the background.
  ///
  /// - Throws: as ``readInBackground(_:)``.
  package func isStructureIntact() async throws -> Bool {
    try await onCopy { try $0.file.isStructureIntact() }
  }

  /// Reads a copy of the open vault in the background, or where there can be none the vault itself at once.
  private func onCopy<Value: Sendable>(_ read: @escaping @Sendable (OpenVault) throws -> Value) async throws
    -> Value
  {
    let vault = try unlocked()
    do {
      return try await runOnCopy(of: vault, { _ in }) { vault in
        guard !vault.file.isSalvaged, let copy = try? OpenVault.Copy(vault) else { throw CopyUnavailable() }
        return copy
      } _: { vault, _ in
        try read(vault)
      }
    } catch is CopyUnavailable {
      return try read(vault)
    }
  }

  /// What was salvaged has no second connection, and there may be no memory or descriptor for one.
  private struct CopyUnavailable: Error {}

  /// Reads lists, in the background if that takes long.
  ///
  /// - Parameter background: runs what is done in the background.
  /// - Throws: as ``readInBackground(_:)``.
  public func read<Value: Sendable>(
    in background: (() async throws -> Value) async throws -> Value = { try await $0() },
    _ read: @escaping @Sendable (CardLists) throws -> Value
  ) async throws -> Value {
    if let value = try readAtOnce(read) { return value }
    return try await background { try await readInBackground(read) }
  }

  /// Returns tags as the vault's cards write them (R15).
  ///
  /// Reads every card if it is not known how they do: the first time, and after changes by another process, an import or a merge.
  ///
  /// - Parameter background: runs what is done in the background.
  /// - Throws: as ``readInBackground(_:)``.
  public func spelled(
    _ tags: [String],
    in background: (() async throws -> SpelledTags) async throws -> SpelledTags = { try await $0() }
  ) async throws -> [String] {
    let vault = try unlocked()
    if let spelled = try vault.spelledAsKnown(tags) { return spelled }
    let spelled = try await read(in: background) { try $0.spelled(tags) }
    if vault.generation == spelled.generation { vault.usedTags = spelled.used }
    return spelled.tags
  }

  /// ``CardLists/cards(_:sort:limit:cursor:)``, however long it takes.
  public func cards(_ filter: CardFilter, sort: CardSort? = nil, limit: Int, cursor: String?) throws -> Page<
    Card
  > {
    try CardLists(unlocked()).cards(filter, sort: sort, limit: limit, cursor: cursor)
  }

  /// ``CardLists/search(_:limit:cursor:)``, however long it takes.
  public func search(_ query: String, limit: Int, cursor: String?) throws -> Page<SearchHit> {
    try CardLists(unlocked()).search(query, limit: limit, cursor: cursor)
  }

  /// ``CardLists/tags()``, however long it takes.
  public func tags() throws -> [TagCount] {
    try CardLists(unlocked()).tags()
  }
}
