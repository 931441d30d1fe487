import Vault
import VaultExchange
import VaultInterface
import Wire

extension Registry {
  @MethodList static var exports: [Method] {
    Method(prompts: .password, answer: VaultExportHandler.answer)
  }
}

private enum VaultExportHandler {
  static func answer(
    _ request: VaultExport, _ context: WorkContext
  ) async throws -> Outcome<VaultExport.Response> {
    let session = context.session
    _ = try session.summary()
    if !request.isDryRun {
      guard let password = request.password else { throw ParameterError("password", .presence) }
      try session.checkFile(request.path, overwrites: request.overwrites)
      try await session.authorize(password: password)
      context.confirmation.recordAuthentication()
    }
    let answer = try await context.progress.during(request.progressToken, WorkTitle.exporting) { report in
      try await context.interruptibly {
        var export = try Export(request, session, language: context.language, at: session.now)
        let (cards, unreadable) = try await chosenCards(request, session)
        return try await export.write(cards, without: unreadable, report)
      }
    }
    return request.isDryRun ? Outcome(answer) : Outcome(answer, .written, context.language)
  }

  /// Returns the cards to write, and those that are to be written and cannot be read. A query finds none of these.
  private static func chosenCards(
    _ request: VaultExport, _ session: VaultSession
  ) async throws -> (cards: [Identifier], unreadable: UnreadableCards) {
    let cards = try await session.read { try $0.cardIdentifiers(matching: request.query) }
    var unreadable = try session.unreadableCards()
    guard let chosen = request.ids.map(Set.init) else {
      return (cards, request.query == nil ? unreadable : UnreadableCards())
    }
    unreadable.damaged.formIntersection(chosen)
    unreadable.missing = 0
    if let missing = chosen.subtracting(cards).subtracting(unreadable.damaged).first {
      throw VaultError.cardNotFound(missing)
    }
    return (cards.filter(chosen.contains), unreadable)
  }
}

/// One export, card by card, so that only one is in memory at a time.
private struct Export {
  /// How much is written between two looks for a cancellation, in bytes of text; each card counts for some more.
  private static let portion = 256 << 10

  private let session: VaultSession
  private let format: ExportFormat
  private var writer: ExportWriter
  /// The file; nil to count what it would have.
  private let file: FileWriter?
  private let includesAttachments: Bool
  private var attachments: [(card: Identifier, attachment: Attachment)] = []
  private var answer: VaultExport.Response
  /// The cards and attachments that do not open.
  private var damaged: Set<Identifier> = []
  private var sinceLastPause = 0

  init(_ request: VaultExport, _ session: VaultSession, language: Language, at time: Timestamp) throws {
    self.session = session
    format = request.format
    includesAttachments = request.includesAttachments && request.format.holdsAttachments
    writer = ExportWriter(request.format, language: language, at: time)
    file = request.isDryRun ? nil : try session.beginFile(request.path, overwrites: request.overwrites)
    answer = VaultExport.Response(path: file?.path ?? request.path)
  }

  /// Writes the cards, and gives the file its name at the end.
  mutating func write(
    _ cards: [Identifier], without unreadable: UnreadableCards, _ report: (Int) async -> Void
  ) async throws -> VaultExport.Response {
    damaged = unreadable.damaged
    let passes = format.needsPreparation ? 2 : 1
    if format.needsPreparation {
      for (index, id) in cards.enumerated() {
        if let card = try card(id) { writer.prepare(card) }
        try await pause(index + 1, of: cards.count * passes, report)
      }
    }
    try file?.write(writer.head)
    for (index, id) in cards.enumerated() {
      if let card = try card(id) { try write(card) }
      try await pause(index + 1 + (passes - 1) * cards.count, of: cards.count * passes, report)
    }
    for (card, attachment) in attachments { try await write(attachment, of: card) }
    try file?.write(writer.tail)
    answer.damaged = damaged.count + unreadable.missing
    answer.size = file?.size ?? 0
    try await file?.finish()
    return answer
  }

  private mutating func write(_ card: Card) throws {
    guard let bytes = writer.bytes(of: card) else {
      answer.cardsLeftOut += 1
      return
    }
    answer.cards += 1
    if !format.holdsConcealedValues { answer.concealedLeftOut += card.extraFields.count(where: \.concealed) }
    try file?.write(bytes)
    if includesAttachments {
      attachments += card.attachments.map { (card.id, $0) }
    } else {
      answer.attachmentsLeftOut += card.attachments.count
    }
  }

  /// Writes an attachment as it was added, without its watermark.
  private mutating func write(_ attachment: Attachment, of card: Identifier) async throws {
    try Task.checkCancellation()
    guard let file else {
      answer.attachments += 1
      return
    }
    let content: PrivateBytes
    do {
      content = try session.content(of: attachment.id)
    } catch VaultError.damaged {
      damaged.insert(attachment.id)
      return
    } catch VaultError.attachmentNotFound {
      return
    }
    let exported = ExportedAttachment(
      card: card, name: attachment.name, mediaType: attachment.mediaType.rawValue,
      addedAt: attachment.addedAt, watermark: attachment.watermark)
    guard let bytes = content.withSpan({ writer.bytes(of: exported, content: $0) }) else { return }
    answer.attachments += 1
    try file.write(bytes)
    await Task.yield()
  }

  /// A card; nil if it is damaged, which is remembered, or was deleted meanwhile.
  private mutating func card(_ id: Identifier) throws -> Card? {
    do {
      let card = try session.card(id)
      sinceLastPause += card.byteCount
      return card
    } catch VaultError.damaged {
      damaged.insert(id)
      return nil
    } catch VaultError.cardNotFound {
      return nil
    }
  }

  private mutating func pause(_ done: Int, of total: Int, _ report: (Int) async -> Void) async throws {
    sinceLastPause += 1_024
    guard sinceLastPause >= Self.portion else { return }
    sinceLastPause = 0
    try Task.checkCancellation()
    await report(done * 100 / total)
    await Task.yield()
  }
}

extension Card {
  /// The size of its values in bytes of UTF-8.
  fileprivate var byteCount: Int {
    fields.values.reduce(0) { $0 + $1.utf8.count } + extraFields.reduce(0) { $0 + $1.value.utf8.count }
  }
}
