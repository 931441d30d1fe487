import VaultInterface

/// Why there is nothing to do with an account.
enum AccountError: NamedError, Hashable {
  static let area = "account"

  case notSignedIn, alreadySignedIn
  /// `quickvault-carrier` is not installed, or ended.
  case carrierMissing, carrierFailed
  /// The keychain with the credentials is locked, or does not respond.
  case keychainLocked
}

extension ErrorDescriptor {
  /// Why a pass did not carry everything. No request fails with it.
  ///
  /// - Parameter file: one of the files that were left out.
  static func damaged(_ file: DamagedFile) -> Self {
    .init(
      "account.damaged", reason: file.isThere ? "there" : nil, words: ["file": Localized(verbatim: file.path)]
    )
  }
}

/// A file of the folder that a pass did not copy, because one of its copies is damaged.
struct DamagedFile: Hashable, Sendable {
  /// Below the folder.
  let path: String
  /// Whether the copy on the server is the damaged one. Otherwise it may be the one here.
  let isThere: Bool
}
