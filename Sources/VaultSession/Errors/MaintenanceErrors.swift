/// Why a backup was not made. Nothing was left behind then, and nothing removed.
public enum BackupError: Error, Hashable, Sendable {
  /// The copy that was written is not what the vault is: the disk does not keep what it is given.
  case notVerified
  /// Older backups are counted in a directory, and the path is a file's.
  case needsDirectory
  /// A vault is in use under this name: this one, or one whose log lies beside it.
  case inUse
}

/// Why a vault was not repaired. It was left as it was.
public enum RepairError: Error, Hashable, Sendable {
  /// What holds the key, or the vault's id, is lost.
  case notPossible
}

/// Why a vault was not merged. Nothing was changed.
public enum MergeError: Error, Hashable, Sendable {
  /// The file is a vault, but not a copy of this one.
  case anotherVault
  /// The path leads to this vault's own file.
  case sameFile
  /// The other copy is damaged, so that nothing can be told from what is not in it.
  case damagedCopy
}
