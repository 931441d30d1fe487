import VaultCrypto
public import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// Repairs a damaged vault: copies the file unchanged, and then keeps every record that opens.
  ///
  /// The copy is on disk, and compared byte for byte, before anything is changed. The new file is complete before it replaces
  /// the old one atomically. Other processes that have the vault open get ``VaultError/changed``.
  ///
  /// A card that was rolled back to an earlier state opens, and is kept: it cannot be recognized. In a synchronised vault, the other
  /// machines' version is beside it after the next synchronisation.
  ///
  /// An unlocked vault that seems intact is read again in the background before it is closed: if it is, it stays open as it is.
  ///
  /// The session stays locked or unlocked, unless it is locked meanwhile, or the repair fails and the vault no longer opens. If
  /// the task is cancelled or the vault locked, nothing was changed. The copy is removed unless the new file was about to
  /// replace the old one.
  ///
  /// - Parameters:
  ///   - password: nil if the vault is unlocked.
  ///   - copy: the path for the copy of the damaged file; nil for a new name in the same directory.
  /// - Throws: ``RepairError``; `CancellationError`; ``FileError`` if the copy cannot be made; ``VaultError/locked`` without a password;
  ///   and what ``unlock(password:)`` throws.
  public func repair(password: String?, copy: UserPath?) async throws -> Repair {
    let (vaultKey, slot) = try await authenticateForRepair(password)
    try requireWritableFile()
    if let intact = try await checkInBackground(vaultKey: vaultKey, slot: slot) { return intact }
    return try await repairingFile(vaultKey: vaultKey, slot: slot) {
      // Nobody else uses it until the repair is over.
      nonisolated(unsafe) let damaged = try openDamaged(vaultKey, slot)
      let intact = try await runInBackground(whenCancelled: .wait) { try Repair(ofIntact: unsafe damaged) }
      if let intact { return (intact, unsafe damaged) }
      return (try await rebuild(unsafe damaged, vaultKey, slot, copy), nil)
    }
  }

  /// Reads an unlocked vault that seems intact again, on a connection of its own, so that a lock need not wait.
  ///
  /// - Returns: nil unless there is nothing to repair.
  /// - Throws: `CancellationError`, ``VaultError/locked``.
  private func checkInBackground(vaultKey: SecretBytes, slot: Identifier) async throws -> Repair? {
    try Task.checkCancellation()
    guard let vault = try? unlocked(), vault.isIntact, let file = try? vault.reader.file.duplicate() else {
      return nil
    }
    // Only the work below uses it.
    nonisolated(unsafe) let own = file
    return try await runLongWork(on: vault) { _ in
    } _: { _ in
      defer { try? unsafe own.close() }
      do {
        let vault = try VaultSession.open(unsafe own, vaultKey: vaultKey, slot: slot)
        defer { vault.close() }
        return try Repair(ofIntact: vault)
      } catch let error as CancellationError {
        throw error
      } catch {
        return nil
      }
    }
  }

  /// Opens the damaged vault and checks that its password slot exists.
  private func openDamaged(_ vaultKey: SecretBytes, _ slot: Identifier) throws -> OpenVault {
    do {
      let damaged = try open(vaultKey: vaultKey, slot: slot)
      let slots = try damaged.reader.file.read { try $0.slots() }
      guard slots.contains(where: \.isPassword) else {
        damaged.close()
        throw RepairError.notPossible
      }
      return damaged
    } catch StoreError.corrupt {
      throw RepairError.notPossible
    }
  }

  private func rebuild(
    _ damaged: OpenVault, _ vaultKey: SecretBytes, _ slot: Identifier, _ copyPath: UserPath?
  ) async throws -> Repair {
    let place = try VaultLocation(path)
    // A checkpoint first, so that the copy is one file if possible.
    if !damaged.reader.file.isSalvaged { _ = try? damaged.reader.file.checkpoint() }
    let reader = damaged.reader
    if !reader.file.isSalvaged {
      // The second connection too: copying the file drops the locks of all.
      damaged.close()
      closeFile()
    }
    let (time, isComplete) = (now, damaged.isComplete)
    let rebuilt = try await runInBackground(whenCancelled: .wait) {
      let copy = try Self.copyDamaged(place, copyPath, at: time)
      do {
        return try Self.rebuild(reader, vaultKey, slot, isComplete: isComplete, copy, in: place)
      } catch {
        copy.remove()
        throw error
      }
    }
    guard !Task.isCancelled else {
      rebuilt.copy.remove()
      throw CancellationError()
    }
    closeFile()
    try rebuilt.file.replace(place.name)
    return rebuilt.repair
  }

  /// Makes the new file from the records that open.
  private static func rebuild(
    _ reader: RecordReader, _ vaultKey: SecretBytes, _ slot: Identifier, isComplete: Bool, _ copy: ByteCopy,
    in place: VaultLocation
  ) throws -> Rebuilt {
    let records = SalvagedRecords(keys: reader.keys, vault: reader.vault)
    let source =
      try reader.file.isSalvaged
      ? reader.file : VaultFile.salvage(at: place.path, endsEarly: true, isGenuine: records.open)
    var rebuilding = try VaultRebuilder(
      source, keys: reader.keys, vault: reader.vault, slot: slot, isComplete: isComplete)
    let new = try UnfinishedCopy.make(in: place.directory) { try rebuilding.fill($0) }
    let made = try VaultSession.open(new.open(), vaultKey: vaultKey, slot: slot)
    let isIntact = try made.isIntact && made.reader.file.isStructureIntact()
    made.close()
    // The disk did not store what was written.
    guard isIntact else { throw VaultError.unavailable(.inputOutput) }
    guard try copy.isSame() else { throw VaultError.unavailable(.busy) }
    return Rebuilt(
      file: new, copy: copy,
      repair: Repair(
        backup: copy.path, kept: rebuilding.kept, dropped: rebuilding.dropped, missing: rebuilding.missing))
  }

  /// The new file, and what it has of the old one.
  private struct Rebuilt: @unchecked Sendable {
    let file: UnfinishedCopy
    let copy: ByteCopy
    let repair: Repair
  }

  /// Copies the damaged file, and its log if there is one.
  private static func copyDamaged(
    _ vault: VaultLocation, _ path: UserPath?, at time: Timestamp
  ) throws -> ByteCopy {
    do {
      if let path { return try ByteCopy(of: vault.path, at: VaultFile.absolutePath(path.path)) }
      var number = 1
      while true {
        do {
          return try ByteCopy(of: vault.path, at: vault.copyPath(time, number))
        } catch StoreError.alreadyExists where number < 1_000 {
          number += 1
        }
      }
    } catch let error as StoreError {
      throw FileError(writing: error) ?? error
    }
  }
}

extension Repair {
  /// The repair of a vault with nothing to repair; nil if something is damaged.
  fileprivate init?(ofIntact vault: OpenVault) throws {
    guard try vault.isIntactThroughout(),
      try vault.reader.file.read({ try $0.slots() }).contains(where: \.isPassword)
    else { return nil }
    self.init(
      backup: nil, kept: Kept(cards: vault.cardCount, attachments: vault.attachments.count), dropped: [],
      missing: 0)
  }
}
