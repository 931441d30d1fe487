import Vault
import VaultExchange
import VaultInterface
import Wire

extension Registry {
  @MethodList static var files: [Method] {
    Method { (request: VaultVerify, context: WorkContext) async throws -> Outcome<VaultVerify.Response> in
      Outcome(
        try await context.progress.during(request.progressToken, WorkTitle.verifying) { report in
          try await context.interruptibly { try await context.session.verify(report) }
        })
    }

    Method { (request: VaultBackup, context: WorkContext) async throws -> Outcome<VaultBackup.Response> in
      let path = try UserPath(request.path)
      _ = try context.session.settings()
      try context.confirmation.require()
      let backup = try await context.progress.during(request.progressToken, WorkTitle.backingUp) { report in
        try await context.interruptibly {
          try await context.session.backUp(
            to: path, keep: request.keep, overwrites: request.overwrites, report)
        }
      }
      return Outcome(backup, .backedUp, context.language)
    }

    Method(.exclusive, prompts: .password) {
      (request: VaultRepair, context: WorkContext) async throws -> Outcome<VaultRepair.Response> in
      let backup = try request.backup.map { path throws(FileError) in try UserPath(path) }
      let repair = try await context.interruptibly {
        try await context.session.repair(password: request.password, copy: backup)
      }
      let event: ActionEvent = repair.backup == nil ? .foundIntact : .repaired
      return Outcome(repair, event, context.language)
    }

    Method(answer: VaultImportHandler.answer)

    Method(prompts: [PinentryPrompt(parameter: "password", purpose: .ofCopy)]) {
      (request: VaultMerge, context: WorkContext) async throws -> Outcome<VaultMerge.Response> in
      let path = try UserPath(request.path)
      let merge = try await context.progress.during(request.progressToken, WorkTitle.merging) { report in
        try await context.interruptibly {
          try await context.session.merge(
            path, password: request.password, isDryRun: request.isDryRun, report)
        }
      }
      return request.isDryRun ? Outcome(merge) : Outcome(merge, .merged, context.language)
    }
  }
}

private enum VaultImportHandler {
  static func answer(
    _ request: VaultImport, _ context: PictureContext
  ) async throws -> Outcome<VaultImport.Response> {
    let (session, language) = (context.session, context.language)
    _ = try session.summary()
    let options = ImportOptions(
      format: request.format, encoding: request.encoding, mapping: request.mapping, type: request.type,
      group: request.group, language: language)
    let report = try await context.progress.during(request.progressToken, WorkTitle.importing) { report in
      try await context.work.interruptibly {
        try await imported(request, options, context, report)
      }
    }
    let answer = ImportReport(report, language: language)
    return request.isDryRun ? Outcome(answer) : Outcome(answer, .imported, language)
  }

  /// Stores the cards of the file.
  ///
  /// - Returns: the outcome for each entry.
  private static func imported(
    _ request: VaultImport, _ options: ImportOptions, _ context: PictureContext,
    _ report: (Int) async -> Void
  ) async throws -> ImportResult {
    let bytes = try await bytes(of: request.source, context)
    var file = try await runInBackground { try ImportReader.read(bytes, options) }
    let isRefused = request.onError == .refuse && file.entries.contains { !$0.issues.isEmpty }
    let cards = file.entries.compactMap(CardImport.init)
    let keepsDuplicates = request.duplicates == .keep
    let isDryRun = request.isDryRun || isRefused
    var attachments: [Int: [AttachmentImport]] = [:]
    if file.attachmentCount > 0, !isRefused {
      attachments = try await context.pictures.checkAttachments(
        of: &file, cards, keepsDuplicates: keepsDuplicates, report)
    }
    let hasReported = !attachments.isEmpty
    let outcomes = try await context.session.importCards(
      cards, attachments: attachments, keepsDuplicates: keepsDuplicates, areDistinct: file.isExport,
      isDryRun: isDryRun
    ) { if !hasReported { await report($0) } }
    // Another process may have stored a card meanwhile, which is then a duplicate.
    let count = attachments.filter { outcomes[$0.key] != .duplicate }.values.reduce(0) { $0 + $1.count }
    let result = ImportResult(file, cards: outcomes, attachments: count)
    guard request.isDryRun || !isRefused else { throw InvalidImport(report: result) }
    return result
  }

  /// The content of the file, the only copy of it in memory.
  private static func bytes(
    of source: ContentSource, _ context: PictureContext
  ) async throws -> [UInt8] {
    let content = try await content(source, context)
    return try await runInBackground {
      content.withSpan { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
    }
  }

  private static func content(
    _ source: ContentSource, _ context: PictureContext
  ) async throws -> PrivateBytes {
    switch source {
    case .path(let path):
      let content = try await context.session.readFile(path, limit: ImportReader.ownSizeLimit)
      guard content.count <= ImportReader.sizeLimit || ImportReader.isOwn(content.prefix(32)) else {
        throw FileError.tooLarge(limit: ImportReader.sizeLimit)
      }
      return content
    case .data(let text):
      guard let content = try PrivateBytes.decoding(base64: text, limit: ImportReader.sizeLimit) else {
        throw ParameterError("data", .base64)
      }
      return content
    }
  }
}

extension CardImport {
  /// The card of an entry; nil if it has none.
  fileprivate init?(_ entry: ImportEntry) {
    guard let draft = entry.draft else { return nil }
    self.init(draft, createdAt: entry.createdAt, modifiedAt: entry.modifiedAt)
  }
}

extension ImportResult {
  /// The report on a file, with the outcomes of its entries that are cards, in their order.
  fileprivate init(_ file: ImportedFile, cards: [ImportOutcome], attachments: Int) {
    var rest = cards[...]
    let outcomes = file.entries.map { $0.draft == nil ? .skipped : rest.popFirst() ?? ImportOutcome.skipped }
    self.init(file, outcomes: outcomes, attachments: attachments)
  }
}
