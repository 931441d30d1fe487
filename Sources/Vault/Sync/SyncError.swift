/// An error of synchronisation. Nothing was changed.
public enum SyncError: Error, Hashable, Sendable, CaseIterable {
  /// The vault is not synchronised.
  case notEnabled
  /// The vault is already synchronised.
  case alreadyEnabled
  /// The folder has no vault that can be joined.
  case noVault
  /// The folder has placeholders of a cloud client instead of files.
  case onlyPlaceholders
  /// The password opens none of the vaults in the folder.
  case wrongPassword
  /// Another machine made another vault key. This one follows it with the new password.
  case newKey
  /// The new password is the old one.
  case samePassword
  /// The folder has the vault's own file in it, which whatever carries the folder would copy and replace.
  case vaultInFolder
  /// The folder is not there, such as that of a medium that was removed.
  case folderNotFound
  /// The folder's name belongs to something else.
  case notAFolder
  /// This is this vault's own replica.
  case ownReplica
  /// The folder has no such replica.
  case unknownReplica

  /// Whether the folder has to be put right before anything can be synchronised.
  public var isAboutFolder: Bool { self == .folderNotFound || self == .notAFolder }
}
