import VaultCrypto
public import VaultInterface
public import VaultStore
public import Wire

/// An error of a vault, with one case for each kind of error in the protocol (R17).
///
/// No case contains a password, a key, a path or a decrypted value, except the card of ``conflict(_:)``.
public enum VaultError: Error, Hashable, Sendable {
  /// There is no vault at the path.
  case notFound
  /// The path is taken.
  case exists
  case locked
  /// The file is not a vault.
  case notAVault
  /// A newer program made the vault, or changed its form.
  case newerVersion
  /// A record does not open, or records are missing: intact records can be read, and nothing can be written.
  case damaged(Identifier?)
  /// The file is older than one that was open before on this machine: it can be read, and written once the user accepts it.
  case older
  /// The vault can be read, and not written: its file, directory or file system is read-only, or was full when it was opened.
  case readOnly
  /// The file cannot be read or written. `holder` is the process that keeps it `busy`, if the system tells it.
  case unavailable(Reason, holder: Holder? = nil)
  /// The confirmation is not the name of the vault's file.
  case confirmationMismatch
  /// The file asks for a key derivation outside the limits of the format.
  case unsupportedParameters
  /// Another process replaced or removed the vault's file, or changed its password.
  case changed
  /// The password is wrong; `attemptsLeft` more may be tried before a wait.
  case wrongPassword(attemptsLeft: Int, retryAfterSeconds: Int)
  /// Passwords are refused for this long (R11).
  case lockedOut(retryAfterSeconds: Int)
  /// The new password has fewer characters than this.
  case passwordTooShort(minimum: Int)
  /// The password has more characters than this.
  case passwordTooLong(maximum: Int)
  /// There is no card with this id, or with the given name.
  case cardNotFound(Identifier?)
  /// Several cards have the given name; these are the first ones.
  case cardAmbiguous([Card], total: Int)
  /// Values cannot be saved (R21); one issue for each.
  case cardInvalid([Issue])
  /// The card has another revision than the client has seen; this is the card as it is now.
  case conflict(Card)
  /// The card has no such field, or it is empty.
  case fieldNotFound(String)
  /// The card has no such earlier version.
  case versionNotFound
  /// A copy template cannot be used.
  case templateInvalid(CopyTemplateError)
  /// No copy template is set for the card's type.
  case noTemplate
  /// The filled copy template has more bytes than this.
  case copyTooLong(limit: Int)
  /// The query cannot be parsed.
  case queryInvalid(Localized)
  /// The cursor is not one that a page returned.
  case invalidCursor
  /// Settings cannot be saved; one issue for each.
  case settingsInvalid([Issue])
  /// There is no attachment with this id.
  case attachmentNotFound(Identifier)
  /// The content has more bytes than this (R5).
  case attachmentTooLarge(limit: Int)
  /// The card has as many attachments as this already.
  case tooManyAttachments(limit: Int)
  /// The attachment's name cannot be used.
  case attachmentNameInvalid(Attachment.NameError)
  /// The watermark cannot be used.
  case watermarkInvalid(Watermark.ValidationError)
  /// The request needs the password or a fingerprint of the last minute.
  case authorizationRequired
  /// A file outside of the vault cannot be read or written.
  case file(FileError)
  /// A backup was not made.
  case backup(BackupError)
  /// A damaged vault was not repaired.
  case repair(RepairError)
  /// Another copy of the vault was not merged.
  case merge(MergeError)
  /// An unexpected failure. Clients are not told the cause.
  case failed(Cause, ErrorOrigin)

  /// The process that keeps a file busy.
  public typealias Holder = LockHolder

  /// The reason why a file cannot be read or written.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    case permissionDenied, diskFull, readOnly, busy, inputOutput, missingDirectory, notARegularFile,
      invalidPath
    case unsupportedFileSystem, outOfMemory, writableByOthers
  }

  /// An unexpected failure, made here.
  package static func failed(
    _ cause: Cause, file: StaticString = #fileID, line: Int = #line
  ) -> VaultError {
    .failed(cause, ErrorOrigin(file: file, line: line))
  }

  /// Maps any error that the modules below throw.
  public init(_ error: any Error) {
    self =
      switch error {
      case let error as VaultError: error
      case let error as StoreError: Self.from(error)
      case let error as CryptoError: Self.from(error)
      case let error as InvalidValues: .cardInvalid(error.report.errors)
      case let error as Attachment.NameError: .attachmentNameInvalid(error)
      case let error as Watermark.ValidationError: .watermarkInvalid(error)
      case let error as FileError: .file(error)
      case let error as BackupError: .backup(error)
      case let error as RepairError: .repair(error)
      case let error as MergeError: .merge(error)
      case is CardRecordError: .damaged(nil)
      case let error as CopyTemplateError: .templateInvalid(error)
      case let error as QueryError: .queryInvalid(error.message)
      default: .failed(.error("\(type(of: error))"))
      }
  }

  private static func from(_ error: StoreError) -> VaultError {
    switch error.kind {
    case .notFound: .notFound
    case .alreadyExists: .exists
    case .notAVault: .notAVault
    case .newerVersion: .newerVersion
    case .corrupt: .damaged(nil)
    case .changed, .closed: .changed
    case .notARegularFile: .unavailable(.notARegularFile)
    case .invalidPath: .unavailable(.invalidPath)
    case .missingDirectory: .unavailable(.missingDirectory)
    case .permissionDenied: .unavailable(.permissionDenied)
    case .writableByOthers: .unavailable(.writableByOthers)
    case .readOnly: .readOnly
    case .diskFull: .unavailable(.diskFull)
    case .busy: .unavailable(.busy, holder: error.origin.holder)
    case .inputOutput: .unavailable(.inputOutput)
    case .unsupportedFileSystem: .unavailable(.unsupportedFileSystem)
    case .outOfMemory: .unavailable(.outOfMemory)
    case .recordNotFound, .recordExists, .conflict, .rowIDCollision, .tooLarge, .nestedTransaction,
      .rolledBack,
      .headNotAdvanced, .internalFailure:
      .failed(.error("StoreError.\(error.kind)"), error.origin)
    }
  }

  private static func from(_ error: CryptoError) -> VaultError {
    switch error {
    case .authenticationFailed, .malformed: .damaged(nil)
    case .parametersOutOfRange: .unsupportedParameters
    case .secureMemoryExhausted: .unavailable(.outOfMemory)
    case .libraryFailure:
      error.isLackOfMemory ? .unavailable(.outOfMemory) : .failed(.error("CryptoError.\(error)"))
    }
  }
}

/// An error of a backup. No file was left behind or removed.
public enum BackupError: Error, Hashable, Sendable, CaseIterable {
  /// The copy differs from the vault: the disk does not store what is written.
  case notVerified
  /// `keep` needs a directory, and the path is a file.
  case needsDirectory
  /// A vault is in use under this name: this one, or one that has a log.
  case inUse
}

/// An error of a repair. The vault was not changed.
public enum RepairError: Error, Hashable, Sendable, CaseIterable {
  /// The key slots or the vault's identifier are lost.
  case notPossible
}

/// An error of a merge. Nothing was changed.
public enum MergeError: Error, Hashable, Sendable, CaseIterable {
  /// The file is a vault, but not a copy of this one.
  case anotherVault
  /// The path leads to this vault's own file.
  case sameFile
  /// The other copy is damaged, so missing records mean nothing.
  case damagedCopy
  /// The vault's key was changed after one of the two copies was made.
  case otherKey
  /// The vault's key does not open the other copy, and no password was given.
  case passwordRequired
}

extension FixedWidthInteger {
  /// Returns the next revision, generation or number of a write.
  ///
  /// - Throws: ``VaultError`` if there is none.
  package func incremented() throws(VaultError) -> Self {
    guard self < .max else { throw .failed(.counterExhausted) }
    return self + 1
  }

  /// The next number, where the largest stays: for what another machine has written.
  package var saturatingSuccessor: Self { self < .max ? self + 1 : self }
}
