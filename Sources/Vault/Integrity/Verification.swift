import VaultCrypto
public import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// The number of parts after which progress is reported.
  private static let parts = 64

  /// Opens every record of the file again, checks the record hash over all of them, and the file's own structure.
  ///
  /// If another process writes meanwhile, it starts over; the third time it reads everything in one snapshot. A vault that
  /// proves to be damaged becomes read-only.
  ///
  /// - Parameter report: takes the progress in percent.
  /// - Throws: `CancellationError`, ``VaultError/locked``, ``VaultError/changed``.
  public func verify(_ report: (Int) async -> Void) async throws -> Verification {
    let vault = try unlocked()
    try await verifyContents(of: vault) { done in await report(done / 2) }
    let share = vault.attachments.count > 0 ? 50 : 100
    for _ in 0..<2 {
      let before = try vault.reading { try $0.vault().generation }
      var (summary, histories) = (VaultSummary(checksTexts: true), HistorySummary())
      for part in 0..<Self.parts {
        let numbers = Self.numbers(part)
        try await visit(from: numbers.lowerBound, vault) {
          try vault.reader.visitSomeCards(&summary, in: $0...numbers.upperBound)
        }
        await report(100 - share + (part + 1) * share / Self.parts)
        try checkIsOpen(vault)
      }
      try await visit(from: .min, vault) { try vault.reader.visitSomeHistories(&histories, from: $0) }
      let isStructureIntact = try await isStructureIntact()
      try checkIsOpen(vault)
      let finished = try vault.reading { transaction in
        try transaction.vault().generation == before
          ? try vault.verification(summary, histories, transaction, isStructureIntact) : nil
      }
      if let finished { return finished }
    }
    return try vault.reading { transaction in
      var summary = VaultSummary(checksTexts: true)
      try vault.reader.visitCards(&summary, transaction)
      let histories = try vault.reader.visitHistories(transaction, opening: true)
      return try vault.verification(
        summary, histories, transaction, vault.reader.file.isStructureIntact())
    }
  }

  /// Calls `step` with the number from which to go on, until that is nil. Others may use the vault between two steps.
  private func visit(
    from first: Int64, _ vault: OpenVault, _ step: (Int64) throws -> Int64?
  ) async throws {
    var next: Int64? = first
    while let first = next {
      try Task.checkCancellation()
      next = try step(first)
      await Task.yield()
      try checkIsOpen(vault)
    }
  }

  /// Opens the content of every attachment, and remembers those that do not open. A content never changes, so other
  /// processes may add and delete some meanwhile.
  private func verifyContents(of vault: OpenVault, _ report: (Int) async -> Void) async throws {
    let all = vault.attachments.all.sorted()
    let total = all.reduce(1) { $0 + (vault.attachments.place(of: $1)?.size ?? 0) }
    var done = 0
    for id in all {
      try Task.checkCancellation()
      try vault.reading { transaction in
        guard let place = vault.attachments.place(of: id) else { return }
        done += place.size
        do {
          _ = try vault.content(of: vault.attachment(id, in: transaction), in: transaction)
        } catch VaultError.damaged {}
      }
      await report(min(done * 100 / total, 100))
      await Task.yield()
      try checkIsOpen(vault)
    }
  }

  /// Returns the card numbers of one part.
  private static func numbers(_ part: Int) -> ClosedRange<Int64> {
    let shift = UInt64(64 - 6)
    let low = UInt64(part) << shift
    let high = low | (1 << shift - 1)
    return Int64(bitPattern: low ^ 1 << 63)...Int64(bitPattern: high ^ 1 << 63)
  }
}

extension OpenVault {
  /// Returns whether the vault is intact, and everything that is opened only when it is needed opens too: the contents of attachments,
  /// histories and documents.
  ///
  /// - Throws: also `CancellationError`.
  func isIntactThroughout() throws -> Bool {
    guard try isIntact && opensEveryContent() && reader.file.isStructureIntact() else { return false }
    return try reading { transaction in
      try transaction.documents().allSatisfy { (try? check($0)) != nil }
        && reader.visitHistories(transaction, opening: true).allOpen
    }
  }

  /// Opens a document, and parses one of names and values.
  private func check(_ document: DocumentRow) throws {
    if [KeyValueText.documentName, DeviceDocument.name].contains(document.name) {
      guard try reader.text(of: document).flatMap(KeyValueText.init) != nil else {
        throw CryptoError.malformed
      }
    } else {
      let id = try Identifier(documentNamed: document.name)
      try reader.withRecord(.document, id, document.revision, document.sealed) { _ in }
    }
  }

  /// Compares the summary with the head, and remembers what is damaged.
  fileprivate func verification(
    _ summary: VaultSummary, _ histories: HistorySummary, _ transaction: borrowing ReadTransaction,
    _ isStructureIntact: Bool
  ) throws -> Verification {
    var hash = summary.hash
    var allOpen = summary.damaged.isEmpty
    let documents = try transaction.documents()
    for document in documents {
      let id = try Identifier(documentNamed: document.name)
      if let element = try? reader.element(.document, id, document.revision, document.sealed) {
        hash.add(element)
      }
      if (try? check(document)) == nil { allOpen = false }
    }
    hash.add(histories.hash)
    if !histories.allOpen { allOpen = false }
    let head = try? reader.head(transaction.vault())
    let counted = AttachmentIndex(summary.attachments)
    let hasContents = try hasEveryContent(of: counted, transaction)
    let agrees = try reader.agrees(head, transaction)
    let isConsistent =
      head?.recordHash == hash && head?.cardCount == summary.count && hasContents
      && head?.documentCount == UInt64(documents.count) && head?.attachmentCount == UInt64(counted.count)
      && agrees

    for card in summary.damaged { markDamaged(card) }
    plainFindings = try reader.plainFindings(transaction, head: head, settings: settings)
    isComplete = allOpen && isConsistent && isStructureIntact
    var findings = plainFindings
    if !allOpen || !isConsistent || !damaged.isEmpty { findings.insert(.records) }
    if !isStructureIntact { findings.insert(.structure) }
    let damagedContents = damaged.filter { counted.place(of: $0) != nil }
    return Verification(
      cards: Int(clamping: summary.count) - summary.trashCount, attachments: counted.count,
      damaged: summary.damaged.union(damagedContents).sorted(),
      findings: Finding.allCases.filter(findings.contains), integrity: integrity)
  }
}
