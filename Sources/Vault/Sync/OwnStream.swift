import VaultCrypto
import VaultStore
import Wire

/// This replica's stream in the folder.
struct OwnStream {
  let vault: any VaultAccess
  let folder: SyncFolder
  let replica: Identifier
  let own: OwnPosition

  init(_ vault: any VaultAccess, _ folder: SyncFolder, _ document: SyncDocument) {
    (self.vault, self.folder) = (vault, folder)
    (replica, own) = (document.replica, document.own)
  }

  /// Returns the numbers of segments in this replica's directory that it has not written yet, or has replaced.
  func unreferencedSegments() throws -> [Int64] {
    try folder.segments(of: replica).filter { $0 < own.first || $0 > own.sequence }
  }

  /// Returns the position after segments that this replica wrote, but did not note before the process ended. What they hold is
  /// published once more, as a snapshot if they are a part of one: others wait for its end.
  func adopted() throws -> OwnPosition {
    var own = own
    var isBegun = false
    while let file = try folder.segmentIfReadable(own.sequence + 1, of: replica, with: vault.reader),
      let segment = file.segment, own.sequence == 0 || segment.previous == own.hash
    {
      (own.sequence, own.hash) = (own.sequence + 1, file.finding.hash)
      own.tailSize += Int64(file.byteCount)
      isBegun = (isBegun || segment.part.contains(.begins)) && !segment.part.contains(.ends)
    }
    if isBegun { own.requireSnapshot() }
    return own
  }

  /// Returns whether somebody removed or changed files of this replica. Each must be the one that the next one names: a clone of this
  /// machine may have written another under the same number, which opens as well.
  func isIncomplete() throws -> Bool {
    guard own.first <= own.sequence else { return true }
    var hash = own.hash
    for sequence in (own.first...own.sequence).reversed() {
      try Task.checkCancellation()
      guard let finding = try folder.finding(sequence, of: replica, with: vault.reader), finding.hash == hash,
        let previous = finding.previous
      else { return true }
      hash = previous
    }
    return false
  }

  /// Returns whether the stream has what this vault never had: the whole machine, with what it remembers of the vault, was restored
  /// from a backup. Then it must go on as another replica.
  func isAhead(_ transaction: borrowing ReadTransaction) throws -> Bool {
    for sequence in try folder.segments(of: replica) where sequence >= max(own.sequence, 1) {
      try Task.checkCancellation()
      if sequence == own.sequence {
        let finding = try folder.finding(sequence, of: replica, with: vault.reader)
        if let finding, finding.hash != own.hash, finding.previous != nil { return true }
        continue
      }
      let file = try folder.segmentIfReadable(sequence, of: replica, with: vault.reader)
      guard let segment = file?.segment else { continue }
      for (id, family) in segment.families.grouped where try !vault.knows(id, in: family, transaction) {
        return true
      }
    }
    return false
  }
}

extension VaultAccess {
  /// Goes on as another replica. What is in the folder under the former name is read as another's, from its beginning.
  ///
  /// - Parameter sequence: the newest segment of the former stream that anybody has seen.
  func assignNewReplica(seen sequence: Int64 = 0) throws {
    let replica = try Identifier.random()
    try change { transaction, change in
      guard var document = try syncDocument(transaction.read) else { return }
      let former = document.replica
      document.succeed(as: replica)
      document[former].announced = max(document[former].announced, sequence)
      try write(document, transaction, &change)
    }
  }
}
