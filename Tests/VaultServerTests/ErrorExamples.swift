import HelperProtocols
import Vault
import VaultExchange
import VaultInterface
import Wire

@testable import Service

/// One error of each kind at least. The reference shows the first of each kind.
enum ErrorExamples {
  private static let id = Identifier("7c20e5ab-91f4-4d36-a8c7-5b1e0f2d9346") ?? Identifier(high: 1, low: 2)

  // Each switch below fails to compile if a case is new: add it to the list above as well.

  private static let vaultErrors: [VaultError] = {
    let draft = CardDraft(
      title: "Meeting room", group: .company, type: .text, fields: ["text": "Wi-Fi: 会议室"])
    let card = Card(draft, id: id, at: Timestamp(milliseconds: 1_795_243_985_718))
    let template = CopyTemplateError(reason: .unknownPlaceholder, placeholder: "taxNumber", position: 14)
    var settings = Settings()
    settings[.autoLockSeconds] = .seconds(1)
    let errors: [VaultError] = [
      .notFound, .exists, .locked, .notAVault, .newerVersion, .damaged(id), .damaged(nil),
      .confirmationMismatch, .unsupportedParameters, .changed, .older, .readOnly,
      .wrongPassword(attemptsLeft: 2, retryAfterSeconds: 0),
      .wrongPassword(attemptsLeft: 1, retryAfterSeconds: 0),
      .wrongPassword(attemptsLeft: 0, retryAfterSeconds: 30), .lockedOut(retryAfterSeconds: 27),
      .passwordTooShort(minimum: 8), .passwordTooLong(maximum: 1_024),
      .cardNotFound(id), .cardNotFound(nil), .versionNotFound, .cardAmbiguous([card], total: 2),
      .cardInvalid(CardDraft(title: "", group: .personal, type: .address).validate().errors),
      .conflict(card), .fieldNotFound("postalCode"), .noTemplate,
      .copyTooLong(limit: Limits.copiedBytes),
      .templateInvalid(template),
      .queryInvalid(
        Localized(
          "group: must be personal or company.", "group: 后应为 personal（个人）或 company（公司）。")),
      .invalidCursor, .settingsInvalid(settings.validate().errors), .attachmentNotFound(id),
      .attachmentTooLarge(limit: Limits.attachmentBytes), .tooManyAttachments(limit: Limits.attachments),
      .attachmentNameInvalid(.invalidCharacter), .watermarkInvalid(.empty), .authorizationRequired,
      .unavailable(.diskFull), .unavailable(.busy, holder: VaultError.Holder(process: 4021, program: "qv")),
      .failed(.recordMissing),
    ]
    for error in errors {
      switch error {
      case .notFound, .exists, .locked, .notAVault, .newerVersion, .damaged, .unavailable,
        .confirmationMismatch,
        .unsupportedParameters, .changed, .older, .readOnly, .wrongPassword, .lockedOut, .passwordTooShort,
        .passwordTooLong,
        .cardNotFound, .cardAmbiguous, .cardInvalid, .conflict, .fieldNotFound, .versionNotFound,
        .templateInvalid,
        .noTemplate,
        .copyTooLong, .queryInvalid,
        .invalidCursor, .settingsInvalid, .attachmentNotFound, .attachmentTooLarge, .tooManyAttachments,
        .attachmentNameInvalid, .watermarkInvalid, .authorizationRequired, .file, .backup, .repair, .merge,
        .failed:
        break
      }
    }
    return errors + VaultError.Reason.allCases.map { .unavailable($0) }
  }()

  private static let fileErrors: [VaultError] = {
    let errors: [FileError] = [
      .notFound, .notRegular, .unreadable(.permissionDenied), .unreadable(.inputOutput), .exists,
      .notWritable(.diskFull),
      .tooLarge(limit: 10 << 20), .tooLarge(limit: 1), .notWritable(.inputOutput),
    ]
    for error in errors {
      switch error {
      case .notFound, .notRegular, .unreadable, .exists, .notWritable, .tooLarge: break
      }
    }
    return errors.map { .file($0) }
  }()

  private static let biometricErrors: [BiometricError] = {
    let errors: [BiometricError] = [
      .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet, .biometryNotEnrolled,
      .biometryNotAvailable(.serviceMissing), .biometryLockout, .appCancel, .invalidContext, .notInteractive,
      .enrollmentChanged, .notEnabled, .keychainLocked, .timedOut, .deviceNotFound(id),
    ]
    for error in errors {
      switch error {
      case .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet,
        .biometryNotEnrolled,
        .biometryNotAvailable, .biometryLockout, .appCancel, .invalidContext, .notInteractive,
        .enrollmentChanged,
        .notEnabled, .keychainLocked, .timedOut, .deviceNotFound:
        break
      }
    }
    return errors
  }()

  private static let imagingErrors: [ImagingError] = {
    let errors: [JSON] = [
      ["kind": "unsupportedType", "detected": "GIF"], ["kind": "truncated"], ["kind": "damaged"],
      ["kind": "tooManyPixels"], ["kind": "encryptedDocument"],
      ["kind": "missingFont", "characters": "证", "package": "fonts-wqy-microhei"],
      ["kind": "missingFont", "characters": "", "package": "poppler-data"], ["kind": "sandboxUnavailable"],
    ]
    return errors.map { ImagingError($0) } + [
      .missingWorker(program: "quickvault-imaging"), .crashed, .timedOut, .notAnImage, .watermarkUnsupported,
      .stripUnsupported, .outOfMemory, .failed,
    ]
  }()

  private static func importErrors() throws -> [any ApplicationError] {
    let errors: [ImportError] = [
      .unknownFormat(), .unreadable(.documentType, line: 2), .unreadable(.empty, line: nil),
      .tooManyEntries(limit: 100_000), .unknownColumn("PIN"),
      .unknownTarget(column: "a"), .repeatedTarget(column: "a"),
    ]
    for error in errors {
      switch error {
      case .unknownFormat, .unreadable, .tooManyEntries, .unknownColumn, .unknownTarget, .repeatedTarget:
        break
      }
    }
    let file = try ImportReader.read(
      Array(
        """
        {"quickvault": 1, "cards": [{"title": "王芳", "group": "personal", "type": "text", "fields": 7}]}
        """.utf8), ImportOptions())
    let foreign = ForeignFile.allCases.map { ImportError.unknownFormat($0) }
    return errors + foreign + [
      InvalidImport(report: ImportResult(file, outcomes: [.skipped], attachments: 0))
    ]
  }

  private static let admissionErrors: [AdmissionError] = {
    let errors: [AdmissionError] = [
      .notAdmitted([.password, .consent]), .nobodyToAsk, .refused, .unknownClient, .notShared,
      .askedTooOften(retryAfterSeconds: 30), .tooManyLocks(retryAfterSeconds: 3_420),
    ]
    for error in errors {
      switch error {
      case .notAdmitted, .nobodyToAsk, .refused, .unknownClient, .notShared: break
      case .askedTooOften, .tooManyLocks: break
      }
    }
    return errors
  }()

  private static let protocolErrors: [ProtocolError] = {
    let errors: [ProtocolError] = [
      .malformedJSON, .nestingTooDeep, .frameTooLarge, .invalidRequest(id: .null, .method),
      .invalidRequest(id: .null, .notAnObject),
      .lifecycle(.notInitialized), .lifecycle(.alreadyInitialized), .lifecycle(.shutDown),
      .methodNotFound("card/find"),
      .invalidParameters(ParameterError("limit", .integerBetween(1, 1000))), .answerTooLarge, .batchTooLarge,
      .cancelled,
      .internalError,
    ]
    for error in errors {
      switch error {
      case .malformedJSON, .nestingTooDeep, .frameTooLarge, .invalidRequest, .lifecycle, .methodNotFound,
        .invalidParameters, .answerTooLarge, .batchTooLarge, .cancelled, .internalError:
        break
      }
    }
    return errors
  }()

  static func all() throws -> [any ApplicationError] {
    var errors: [any ApplicationError] = vaultErrors + fileErrors
    let named: [any NamedError.Type] = [
      BackupError.self, OneTimeCodeError.self, RepairError.self, MergeError.self, SyncError.self,
      AccountError.self,
      PinentryError.self, EditError.self,
    ]
    for type in named { errors += cases(of: type) }
    errors += biometricErrors as [any ApplicationError]
    errors += admissionErrors as [any ApplicationError]
    errors += imagingErrors as [any ApplicationError]
    errors += CarrierError.examples as [any ApplicationError]
    errors += try importErrors()
    return errors + protocolErrors
  }

  private static func cases<Named: NamedError>(of type: Named.Type) -> [any ApplicationError] {
    Array(Named.allCases)
  }
}
