import VaultCrypto
public import VaultModel
import VaultStore

/// What a verification found.
public struct Verification: Sendable, Hashable {
  /// How many cards there are.
  public var cards: Int
  /// The cards that do not open.
  public var damaged: [RecordIdentifier]
  /// Whether every record is there and whole.
  public var isIntact: Bool
}

extension VaultSession {
  /// How many parts the numbers of cards are divided in, so that a verification can be cancelled in between.
  private static let parts = 64

  /// Opens every record of the file again, checks the record hash over all of them, and the file's own structure.
  ///
  /// Where another process writes meanwhile, it begins anew, and from the third time on holds still while it reads.
  ///
  /// - Parameter report: is told how much is done, in percent.
  /// - Throws: `CancellationError`, ``VaultError/locked``.
  public func verify(_ report: (Int) async -> Void) async throws -> Verification {
    let vault = try unlocked()
    for _ in 0..<2 {
      let before = try vault.file.read { try $0.vault().generation }
      var census = Census()
      for part in 0..<Self.parts {
        try Task.checkCancellation()
        _ = try vault.reader.gather(&census, in: Self.numbers(part))
        await report((part + 1) * 100 / Self.parts)
        await Task.yield()
        guard opened === vault else { throw VaultError.locked }
      }
      let verification = try vault.file.read { transaction in
        try transaction.vault().generation == before ? try vault.verdict(census, transaction) : nil
      }
      if let verification { return verification }
    }
    return try vault.file.read { transaction in
      var census = Census()
      try vault.reader.gather(&census, transaction)
      return try vault.verdict(census, transaction)
    }
  }

  /// A part of all numbers that a card can have.
  private static func numbers(_ part: Int) -> ClosedRange<Int64> {
    let shift = UInt64(64 - 6)
    let low = UInt64(part) << shift
    let high = low | (1 << shift - 1)
    return Int64(bitPattern: low ^ 1 << 63)...Int64(bitPattern: high ^ 1 << 63)
  }
}

extension OpenVault {
  /// Whether what was counted is what the head vouches for.
  fileprivate func verdict(
    _ census: Census, _ transaction: borrowing ReadTransaction
  ) throws -> Verification {
    var hash = census.hash
    var documents: UInt64 = 0
    var isComplete = true
    for document in try transaction.documents() {
      documents += 1
      let id = try Identifier(documentNamed: document.name)
      if let element = try? element(.document, id, document.revision, document.sealed) { hash.add(element) }
      if (try? openRecord(.document, id, document.revision, document.sealed)) == nil { isComplete = false }
    }
    if let head = try? openHead(transaction.vault()) {
      isComplete =
        isComplete && head.recordHash == hash && head.cardCount == census.count
        && head.documentCount == documents
    } else {
      isComplete = false
    }
    buffer.wipe()
    return Verification(
      cards: Int(clamping: census.count), damaged: census.damaged.sorted(),
      isIntact: isComplete && census.damaged.isEmpty
    )
  }
}
