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
