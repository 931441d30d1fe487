/// Why a backup was not made. Nothing was left behind then, and nothing removed.
public enum BackupError: Error, Hashable, Sendable {
  /// The copy that was written is not what the vault is: the disk does not keep what it is given.
  case notVerified
  /// Older backups are counted in a directory, and the path is a file's.
  case needsDirectory
  /// A vault is in use under this name: this one, or one whose log lies beside it.
  case inUse
}
