import HelperProtocols
import Vault
import VaultExchange
import VaultInterface
import Wire

extension BackupError: NamedError { static let area = "backup" }
extension RepairError: NamedError { static let area = "repair" }
extension MergeError: NamedError { static let area = "merge" }
extension OneTimeCodeError: NamedError { static let area = "code" }
extension SyncError: NamedError { static let area = "sync" }

extension VaultError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .damaged(let id): .init("vault.damaged", Self.data(id))
    case .unavailable(let reason, let holder?):
      .init(
        "vault.unavailable",
        [
          "reason": .string(reason.rawValue),
          "holder": ["program": .string(holder.program), "process": .integer(holder.process)],
        ], reason: "holder",
        words: [
          "program": Localized(verbatim: holder.program), "process": Localized(verbatim: "\(holder.process)"),
        ])
    case .unavailable(let reason, nil): .init("vault.unavailable", ["reason": .string(reason.rawValue)])
    case .wrongPassword(let left, let seconds):
      .init(
        "auth.wrongPassword", ["attemptsLeft": .integer(left), "retryAfterSeconds": .integer(seconds)],
        reason: "\(left)")
    case .lockedOut(let seconds): .init("auth.lockedOut", ["retryAfterSeconds": .integer(seconds)])
    case .passwordTooShort(let minimum): .init("auth.passwordTooShort", ["minimum": .integer(minimum)])
    case .passwordTooLong(let maximum): .init("auth.passwordTooLong", ["maximum": .integer(maximum)])
    case .authorizationRequired: .init("auth.required")
    case .cardNotFound(let id): .init("card.notFound", Self.data(id))
    case .cardAmbiguous(let cards, let total):
      .init(
        "card.ambiguous",
        ["cards": .array(cards.map { CardJSON(summaryOf: $0).json }), "total": .integer(total)])
    case .cardInvalid(let issues): .init("card.invalid", issues: issues)
    case .conflict(let card):
      .init(
        "card.conflict",
        localizedData: {
          ["card": card.json(in: $0), "text": .string(FormText(card.type, in: $0).write(card.draft))]
        })
    case .fieldNotFound(let field): .init("card.fieldNotFound", ["field": .string(field)])
    case .versionNotFound: .init("card.versionNotFound")
    case .templateInvalid(let error):
      .init(
        "copy.templateInvalid",
        ["placeholder": .string(error.placeholder), "position": .integer(error.position)],
        words: ["problem": error.message])
    case .noTemplate: .init("copy.noTemplate")
    case .copyTooLong(let limit): .init("copy.tooLong", ["limit": .integer(limit)], words: limit.inMebibytes)
    case .queryInvalid(let message): .init("query.invalid", words: ["problem": message])
    case .invalidCursor: .init("list.invalidCursor")
    case .settingsInvalid(let issues): .init("settings.invalid", issues: issues)
    case .attachmentNotFound(let id): .init("attachment.notFound", Self.data(id))
    case .attachmentTooLarge(let limit):
      .init("attachment.tooLarge", ["limit": .integer(limit)], words: limit.inMebibytes)
    case .tooManyAttachments(let limit): .init("attachment.tooMany", ["limit": .integer(limit)])
    case .attachmentNameInvalid(let error):
      .init(
        "attachment.nameInvalid", ["reason": .string(error.rawValue)],
        words: ["limit": Localized(verbatim: "\(Limits.attachmentName)")])
    case .watermarkInvalid(let error):
      .init(
        "attachment.watermarkInvalid", ["reason": .string(error.rawValue)],
        words: [
          "limit": Localized(verbatim: "\(Limits.watermark)"),
          "lines": Localized(verbatim: "\(Limits.watermarkLines)"),
        ])
    case .file(let error): error.descriptor
    case .backup(let error): error.descriptor
    case .repair(let error): error.descriptor
    case .merge(let error): error.descriptor
    case .failed: .init("rpc.internalError")
    case .notFound, .exists, .locked, .notAVault, .newerVersion, .confirmationMismatch,
      .unsupportedParameters, .changed, .older, .readOnly:
      .init("vault.\(self)")
    }
  }

  private static func data(_ id: Identifier?) -> JSON {
    id.map { ["id": .string($0.description)] } ?? [:]
  }
}

extension FileError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .notFound, .notRegular, .exists: .init("file.\(self)")
    case .unreadable(let reason, _): .init("file.unreadable", ["reason": .string(reason.rawValue)])
    case .notWritable(let reason, _): .init("file.notWritable", ["reason": .string(reason.rawValue)])
    case .tooLarge(let limit):
      .init(
        "file.tooLarge", ["limit": .integer(limit)],
        words: ["size": Localized(verbatim: limit % (1 << 20) == 0 ? "\(limit >> 20) MiB" : "\(limit) B")])
    }
  }
}

extension BiometricError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .biometryNotAvailable(let obstacle): obstacle.descriptor
    case .keychainLocked: .init("keychain.locked")
    case .deviceNotFound(let id): .init("device.notFound", ["id": .string(id.description)])
    default: .init("biometric.\(self)")
    }
  }
}

extension BiometricError.Obstacle {
  var descriptor: ErrorDescriptor {
    let reason = JSON.string(rawValue)
    return .init(
      "biometric.biometryNotAvailable",
      package.map { ["reason": reason, "package": .string($0)] } ?? ["reason": reason])
  }
}

extension ImportError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .unknownFormat(let file):
      .init(
        "import.unknownFormat", file.map { ["found": .string($0.rawValue)] } ?? [:], reason: file?.rawValue)
    case .unreadable(let reason, let line):
      .init(
        "import.unreadable",
        line.map { ["reason": .string(reason.rawValue), "line": .integer($0)] }
          ?? ["reason": .string(reason.rawValue)],
        words: ["place": line.map { Localized("Line \($0): ", "第 \($0) 行：") } ?? Localized("", "")])
    case .tooManyEntries(let limit): .init("import.tooMany", ["limit": .integer(limit)])
    case .unknownColumn(let column), .unknownTarget(let column), .repeatedTarget(let column):
      .init("import.mappingInvalid", ["column": .string(column)], reason: ErrorKind.caseName(self))
    }
  }
}

/// An import that was refused although the file was read: some of its entries cannot be stored, and nothing was.
struct InvalidImport: ApplicationError {
  let report: ImportResult

  var descriptor: ErrorDescriptor {
    let count = report.file.entries.count { !$0.issues.isEmpty }
    return ErrorDescriptor(
      "import.invalid",
      words: [
        "count": Localized(verbatim: "\(count)"), "total": Localized(verbatim: "\(report.outcomes.count)"),
      ], localizedData: { [report] in ["report": report.json(in: $0)] })
  }
}

extension CarrierError: ApplicationError {
  var descriptor: ErrorDescriptor {
    .init(kind, reason: reason, words: words.mapValues { Localized(verbatim: $0) })
  }
}

extension ErrorDescriptor {
  /// An error with problems of parts of a card, or of settings.
  fileprivate init(_ kind: String, issues: [Issue]) {
    var problems = Localized(".", "。")
    if let first = issues.first?.message {
      let more = issues.count - 1
      problems = Localized(
        ": \(first.english)" + (more > 0 ? " (and \(more) more)" : ""),
        "：\(first.simplifiedChinese)" + (more > 0 ? "（另有 \(more) 处）" : ""))
    }
    self.init(
      kind, words: ["issues": problems],
      localizedData: { language in ["issues": .array(issues.map { $0.json(in: language) })] })
  }

  /// The descriptor of an error that anything below threw.
  init(_ error: any Error) {
    self = (error as? any ApplicationError ?? VaultError(error)).descriptor
  }
}

extension Int {
  fileprivate var inMebibytes: [String: Localized] { ["size": Localized(verbatim: "\(self >> 20)")] }
}

/// An error as the protocol describes it (R17): a row of the catalogue, and the values of this error.
struct ErrorDescriptor: Sendable {
  /// The stable name in `data.kind`.
  let kind: String
  /// The number on the wire, which is never given to another error.
  let code: Int
  /// Whether only the answer carries it, without a notification to show.
  let isSilent: Bool
  private let row: ErrorKind?
  private let reason: String?
  private let words: [String: Localized]
  /// The error's data beyond the kind.
  private let data: @Sendable (Language) -> JSON

  /// - Parameters:
  ///   - data: its texts and numbers are also the words for the message.
  ///   - reason: what decides on the text; nil for the reason in the data.
  ///   - words: further words for the message.
  init(_ kind: String, _ data: JSON = [:], reason: String? = nil, words: [String: Localized] = [:]) {
    var words = words
    for member in data.members where words[member.name] == nil {
      words[member.name] = (member.value.string ?? member.value.integer.map(String.init))
        .map { Localized(verbatim: $0) }
    }
    self.init(kind, reason: reason ?? data["reason"]?.string, words: words) { _ in data }
  }

  /// An error whose data has texts for the user, and none of the words for the message.
  init(
    _ kind: String, reason: String? = nil, words: [String: Localized] = [:],
    localizedData: @escaping @Sendable (Language) -> JSON
  ) {
    (self.kind, self.reason, self.words, data) = (kind, reason, words, localizedData)
    row = ErrorKind.named(kind)
    // A test compares all errors with the catalogue.
    (code, isSilent) = (row?.code ?? ProtocolError.internalError.code, row?.isSilent ?? false)
  }

  /// One sentence for the user.
  var message: Localized {
    let words = words.mapValues { ($0.english, $0.simplifiedChinese) }
    let text: ErrorKind.Text = row?.message(reason: reason, words) ?? (kind, kind)
    return Localized(text.english, text.chinese)
  }

  /// The error for a client, its message in the client's language.
  func response(in language: Language) -> ResponseError {
    let message = message
    let members: [JSON.Member] = [.init("kind", .string(kind)), .init("messages", message.json)]
    return ResponseError(
      code: code, message: message[language], data: .object(members + data(language).members))
  }
}

/// An error that the protocol has a code for, beyond those of JSON-RPC.
protocol ApplicationError: Error {
  var descriptor: ErrorDescriptor { get }
}

/// An error without values, whose kind is the name of its area and its own.
protocol NamedError: ApplicationError, CaseIterable {
  static var area: String { get }
}

extension NamedError {
  var descriptor: ErrorDescriptor { ErrorDescriptor("\(Self.area).\(self)") }
}
