import VaultCrypto
public import VaultInterface
import VaultStore
import Wire

/// Leaves the transaction of a merge that changes nothing, so that the file stays as it is.
private struct NothingNew: Error {
  let merge: Merge
}

extension VaultSession {
  /// Applies the changes of another copy of this vault: newer contents, new cards, deletions, settings. A card that both
  /// sides changed keeps the content that was modified last, and a copy with a note in its title keeps the other.
  ///
  /// The other file is only read. The merge is one transaction, and none if there is nothing new. It is commutative and
  /// idempotent: in whatever order and how often copies are merged, all end with the same contents.
  ///
  /// - Parameters:
  ///   - password: the one that opens the other copy. A wrong one counts as one of this vault (R11). nil where this vault's
  ///     key opens the other copy as well, as it does unless that copy is damaged.
  ///   - isDryRun: whether to report only.
  /// - Throws: ``MergeError``, ``FileError``, ``VaultError/wrongPassword(attemptsLeft:retryAfterSeconds:)`` and the
  ///   others of unlocking, ``VaultError/damaged(_:)`` for this vault, ``VaultError/locked``.
  public func merge(
    _ path: UserPath, password: String?, isDryRun: Bool, _ report: (Int) async -> Void
  ) async throws -> Merge {
    let vault = try unlocked()
    try vault.requireWritable()
    guard !isVault(path) else { throw MergeError.sameFile }
    let copy = try await makeCopy(of: path, vault, report)
    defer { copy.remove() }
    try checkIsOpen(vault)
    let slot = try slot(of: copy, vault.reader.vault)
    await report(Self.copied)
    if let password {
      let other = try await authenticate(password, with: KeySlot(slot))
      // Whoever has only a former key, such as that of a lost machine, must not change cards.
      guard other.vaultKey == vault.reader.keys.vaultKey else { throw MergeError.otherKey }
    } else if try !opensHead(of: copy, vault.reader) {
      throw MergeError.passwordRequired
    }
    let merge = try await changeInBackground(report) { vault, note in
      try note(30)
      let file = try MergeError.reading { try copy.open() }
      defer { try? file.close() }
      let other = try MergeError.reading {
        let other = try VaultSession.open(file, vaultKey: vault.reader.keys.vaultKey, slot: slot.id)
        guard try other.isIntact && file.isStructureIntact() else { throw MergeError.damagedCopy }
        return other
      }
      try note(60)
      return try file.read { theirs in
        guard !isDryRun else { return try vault.reading { try vault.plan(other, $0, theirs).merge } }
        do {
          return try vault.change { transaction, change in
            let (plan, settings, merge) = try vault.plan(other, transaction.read, theirs)
            let head = change.head
            try vault.apply(plan, theirs, transaction, &change)
            if let settings {
              try vault.write(Settings(settings), as: settings, transaction, &change)
            }
            try Task.checkCancellation()
            // It accounts for all records.
            guard change.head != head else { throw NothingNew(merge: merge) }
            return merge
          }
        } catch let nothing as NothingNew {
          return nothing.merge
        }
      }
    }
    await report(100)
    return merge
  }

  /// Returns the password's slot of the other copy.
  ///
  /// - Throws: ``MergeError/anotherVault``, ``MergeError/damagedCopy``.
  private func slot(of copy: PrivateCopy, _ vault: Identifier) throws -> SlotRow {
    try MergeError.reading {
      let file = try copy.open()
      defer { try? file.close() }
      let (row, slots) = try file.read { (try $0.vault(), try $0.slots()) }
      guard row.vaultID == vault else { throw MergeError.anotherVault }
      guard let slot = slots.first(where: { $0.kind == KeySlot.Kind.password.rawValue }) else {
        throw MergeError.damagedCopy
      }
      _ = try KeySlot(slot)
      return slot
    }
  }

  /// Returns whether this vault's key opens the other copy's head.
  private func opensHead(of copy: PrivateCopy, _ reader: RecordReader) throws -> Bool {
    try MergeError.reading {
      let file = try copy.open()
      defer { try? file.close() }
      let row = try file.read { try $0.vault() }
      return (try? reader.head(row)) != nil
    }
  }

  /// The progress, in percent, when the other file is copied.
  private static let copied = 10

  /// Copies the other file on another thread; only the private copy is opened.
  private func makeCopy(
    of path: UserPath, _ vault: OpenVault, _ report: (Int) async -> Void
  ) async throws -> PrivateCopy {
    let directory = try VaultLocation(self.path).directory
    do {
      return try await runLongWork(on: vault, report) { note in
        try PrivateCopy(of: path.path, in: directory) { done, total in
          try note(Int(Double(done) / Double(total) * Double(Self.copied)))
        }
      }
    } catch StoreError.notFound, StoreError.missingDirectory, StoreError.invalidPath {
      throw FileError.notFound
    } catch StoreError.notARegularFile {
      throw FileError.notRegular
    } catch StoreError.permissionDenied {
      throw FileError.unreadable(.permissionDenied)
    }
  }
}

extension MergeError {
  /// Reads the other copy and maps its damage to ``MergeError/damagedCopy``.
  static func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch StoreError.corrupt, CryptoError.authenticationFailed, CryptoError.malformed {
      throw MergeError.damagedCopy
    } catch VaultError.damaged {
      throw MergeError.damagedCopy
    } catch is CardRecordError {
      throw MergeError.damagedCopy
    }
  }
}
