import CarrierProtocol
import JSON
import Identifiers
import Foundation
import JSONRPC
import TestSupport
import Testing
import VaultExchange
import VaultModel
import VaultProtocol
import VaultSession
import VaultSync

@testable import VaultServer

/// The codes and kinds of all errors that the program has, and those that `protocol/openrpc.json` describes.
@Suite("Codes and kinds") struct ErrorKindTests {
  private struct Numbered: Hashable {
    var code: Int
    var kind: String
  }

  private struct Document: Decodable {
    struct Components: Decodable {
      let errors: [String: Described]
    }
    struct Described: Decodable {
      let code: Int
      let data: Kind
    }
    struct Kind: Decodable {
      let kind: String
    }
    let components: Components
  }

  private static let id = Identifier(high: 1, low: 2)

  // Each switch below fails to compile if a case is new: add it to the list above as well.

  private static let vaultErrors: [VaultError] = {
    let card = Card(
      CardDraft(title: "a", group: .personal, type: .text), id: id, at: Timestamp(milliseconds: 0))
    let template = CopyTemplateError(reason: .unclosed, placeholder: "", position: 0)
    let errors: [VaultError] = [
      .notFound, .exists, .locked, .notAVault, .newerVersion, .damaged(nil), .damaged(id),
      .confirmationMismatch,
      .unsupportedParameters, .changed, .older, .readOnly,
      .wrongPassword(attemptsLeft: 1, retryAfterSeconds: 0),
      .lockedOut(retryAfterSeconds: 1), .passwordTooShort(minimum: 8), .passwordTooLong(maximum: 9),
      .cardNotFound(id), .cardNotFound(nil), .cardAmbiguous([card], total: 2), .cardInvalid([]),
      .conflict(card), .fieldNotFound("a"), .noTemplate,
      .copyTooLong(limit: 1),
      .templateInvalid(template), .queryInvalid(Localized("a", "b")), .invalidCursor,
      .settingsInvalid([]), .attachmentNotFound(id), .attachmentTooLarge(limit: 1),
      .tooManyAttachments(limit: 1),
      .attachmentNameInvalid(.empty), .watermarkInvalid(.empty), .authorizationRequired,
      .failed(.recordMissing),
    ]
    for error in errors {
      switch error {
      case .notFound, .exists, .locked, .notAVault, .newerVersion, .damaged, .unavailable,
        .confirmationMismatch,
        .unsupportedParameters, .changed, .older, .readOnly, .wrongPassword, .lockedOut, .passwordTooShort,
        .passwordTooLong,
        .cardNotFound, .cardAmbiguous, .cardInvalid, .conflict, .fieldNotFound, .templateInvalid, .noTemplate,
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
      .notFound, .notRegular, .unreadable(.inputOutput), .exists, .notWritable(.diskFull),
      .tooLarge(limit: 1),
    ]
    for error in errors {
      switch error {
      case .notFound, .notRegular, .unreadable, .exists, .notWritable, .tooLarge: break
      }
    }
    return errors.map { .file($0) }
  }()

  private static let movingErrors: [VaultError] = {
    let backup: [BackupError] = [.notVerified, .needsDirectory, .inUse]
    for error in backup {
      switch error {
      case .notVerified, .needsDirectory, .inUse: break
      }
    }
    let merge: [MergeError] = [.anotherVault, .sameFile, .damagedCopy, .otherKey, .passwordRequired]
    for error in merge {
      switch error {
      case .anotherVault, .sameFile, .damagedCopy, .otherKey, .passwordRequired: break
      }
    }
    let repair: [RepairError] = [.notPossible]
    for error in repair {
      switch error {
      case .notPossible: break
      }
    }
    return backup.map { .backup($0) } + merge.map { .merge($0) } + repair.map { .repair($0) }
  }()

  private static let syncErrors: [SyncError] = {
    let errors: [SyncError] = [
      .notEnabled, .alreadyEnabled, .noVault, .wrongPassword, .newKey, .samePassword, .vaultInFolder,
      .folderNotFound, .notAFolder, .ownReplica, .unknownReplica,
    ]
    for error in errors {
      switch error {
      case .notEnabled, .alreadyEnabled, .noVault, .wrongPassword, .newKey, .samePassword, .vaultInFolder,
        .folderNotFound, .notAFolder, .ownReplica, .unknownReplica:
        break
      }
    }
    return errors
  }()

  private static let accountErrors: [AccountError] = {
    let errors: [AccountError] = [
      .notSignedIn, .alreadySignedIn, .carrierMissing, .carrierFailed, .keychainLocked,
    ]
    for error in errors {
      switch error {
      case .notSignedIn, .alreadySignedIn, .carrierMissing, .carrierFailed, .keychainLocked: break
      }
    }
    return errors
  }()

  private static let biometricErrors: [BiometricError] = {
    let errors: [BiometricError] = [
      .authenticationFailed, .userCancel, .userFallback, .systemCancel, .passcodeNotSet, .biometryNotEnrolled,
      .biometryNotAvailable(.noReader), .biometryLockout, .appCancel, .invalidContext, .notInteractive,
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

  private static let pinentryErrors: [PinentryError] = {
    let errors: [PinentryError] = [.cancelled, .timedOut, .notInstalled, .noTerminal, .failed]
    for error in errors {
      switch error {
      case .cancelled, .timedOut, .notInstalled, .noTerminal, .failed: break
      }
    }
    return errors
  }()

  private static let imagingErrors: [ImagingError] = {
    let errors: [ImagingError] = [
      .missingWorker(program: "a"), .crashed, .timedOut, .notAnImage, .unsupportedType(detected: "a"),
      .truncated,
      .damaged, .tooManyPixels(maximum: 1), .encryptedDocument, .missingFont(characters: "a", package: "b"),
      .watermarkUnsupported, .stripUnsupported, .outOfMemory, .sandboxUnavailable, .failed,
    ]
    for error in errors {
      switch error {
      case .missingWorker, .crashed, .timedOut, .notAnImage, .unsupportedType, .truncated, .damaged,
        .tooManyPixels,
        .encryptedDocument, .missingFont, .watermarkUnsupported, .stripUnsupported, .outOfMemory,
        .sandboxUnavailable, .failed:
        break
      }
    }
    return errors
  }()

  private static func importErrors() throws -> [any ApplicationError] {
    let errors: [ImportError] = [
      .unknownFormat, .unreadable(.empty, line: nil), .tooManyEntries(limit: 1), .unknownColumn("a"),
      .unknownTarget(column: "a"), .repeatedTarget(column: "a"),
    ]
    for error in errors {
      switch error {
      case .unknownFormat, .unreadable, .tooManyEntries, .unknownColumn, .unknownTarget, .repeatedTarget:
        break
      }
    }
    let file = try ImportReader.read(Array("title,text\na,b\n".utf8), ImportOptions())
    return errors + [InvalidImport(report: ImportReport(file, outcomes: [], attachments: 0))]
  }

  private static let admissionErrors: [AdmissionError] = {
    let errors: [AdmissionError] = [.notAdmitted([.password]), .nobodyToAsk, .refused, .unknownClient]
    for error in errors {
      switch error {
      case .notAdmitted, .nobodyToAsk, .refused, .unknownClient: break
      }
    }
    return errors
  }()

  private static let protocolErrors: [ProtocolError] = {
    let errors: [ProtocolError] = [
      .malformedJSON, .nestingTooDeep, .frameTooLarge, .invalidRequest(id: .null, .notAnObject),
      .lifecycle(.notInitialized), .lifecycle(.alreadyInitialized), .lifecycle(.shutDown),
      .methodNotFound("a"),
      .invalidParameters(ParameterError("a", .base64)), .answerTooLarge, .batchTooLarge, .cancelled,
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

  @Test(
    "R17 the program and the document have the same codes and kinds, and no two errors have the same code")
  func same() throws {
    var errors: [any ApplicationError] = Self.vaultErrors + Self.fileErrors + Self.movingErrors
    errors += Self.biometricErrors as [any ApplicationError]
    errors += Self.admissionErrors as [any ApplicationError]
    errors += Self.imagingErrors as [any ApplicationError]
    errors += Self.syncErrors as [any ApplicationError]
    errors += Self.accountErrors as [any ApplicationError]
    // A carrier that was cancelled is a request that was.
    errors += CarrierError.examples.filter { $0 != .cancelled } as [any ApplicationError]
    errors += Self.pinentryErrors as [any ApplicationError]
    errors += try Self.importErrors()
    let told =
      (errors + Self.protocolErrors).map {
        Numbered(code: $0.descriptor.code, kind: $0.descriptor.kind)
      }
    let data = try Data(contentsOf: Repository.protocolDirectory.appending(path: "openrpc.json"))
    let described = try JSONDecoder().decode(Document.self, from: data).components.errors.values.map {
      Numbered(code: $0.code, kind: $0.data.kind)
    }
    #expect(Set(told) == Set(described))
    #expect(described.count == Set(described).count)
    // JSON-RPC has one code for all that is no request; the numbers of the application are each one error's.
    let numbers = described.map(\.code).filter { $0 > 0 }
    #expect(numbers.count == Set(numbers).count)
  }
}
