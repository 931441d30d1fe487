import JSONRPC
import VaultExchange
import VaultProtocol
import VaultSession

enum VaultImportHandler: Handler {
  static func answer(
    _ request: VaultImport, in conversation: isolated Conversation
  ) async throws -> Outcome<VaultImport.Answer> {
    let (session, language) = (conversation.session, conversation.language)
    _ = try session.summary()
    let options = request.options(in: language)
    let report = try await conversation.reporting(request.progressToken, Deed.importing) { report in
      let content = try await content(request.source, conversation)
      let file = try await elsewhere { try read(content, options) }
      let isRefused = request.onError == .refuse && file.entries.contains { !$0.issues.isEmpty }
      let outcomes = try await session.importCards(
        file.entries.compactMap(CardImport.init), keepsDuplicates: request.duplicates == .keep,
        isTrial: request.isTrial || isRefused, report)
      let result = ImportReport(file, outcomes: outcomes)
      guard request.isTrial || !isRefused else { throw ImportRefusal.invalid(result) }
      return result
    }
    let answer = ImportReport.Localized(report, language: language)
    return Outcome(answer, telling: request.isTrial ? [] : [conversation.notice(of: .imported)])
  }

  private static func content(
    _ source: ContentSource, _ conversation: isolated Conversation
  ) async throws -> PrivateBytes {
    switch source {
    case .path(let path):
      return try await conversation.session.readFile(path, limit: ImportReader.sizeLimit)
    case .data(let text):
      guard let content = try PrivateBytes.decoding(base64: text, limit: ImportReader.sizeLimit) else {
        throw ParameterFault("data", .base64)
      }
      return content
    }
  }

  private static func read(_ content: PrivateBytes, _ options: ImportOptions) throws -> ImportedFile {
    let bytes = content.withSpan { span in unsafe span.withUnsafeBytes { unsafe [UInt8]($0) } }
    return try ImportReader.read(bytes, options)
  }
}

extension CardImport {
  /// The card of an entry; nil where it is to be none.
  fileprivate init?(_ entry: ImportEntry) {
    guard let draft = entry.draft else { return nil }
    self.init(draft, createdAt: entry.createdAt, modifiedAt: entry.modifiedAt)
  }
}

extension ImportReport {
  /// The report on a file of whose entries those that are cards came to these outcomes, in their order.
  fileprivate init(_ file: ImportedFile, outcomes: [CardImportOutcome]) {
    var rest = outcomes[...]
    self.init(
      file,
      outcomes: file.entries.map { entry in
        guard entry.draft != nil, let outcome = rest.popFirst() else { return .skipped }
        switch outcome {
        case .stored(let id): return .imported(id)
        case .ready: return .ready
        case .duplicate: return .duplicate
        }
      })
  }
}
