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
}

extension Int {
  fileprivate var inMebibytes: [String: Localized] { ["size": Localized(verbatim: "\(self >> 20)")] }
}
