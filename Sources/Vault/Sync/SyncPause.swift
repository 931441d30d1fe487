public import VaultInterface

/// Why a synchronisation lets others change the vault before it goes on.
public enum SyncPause: Sendable {
  /// Something was merged.
  case merged(Merge)
  /// The folder has not answered in time. Wait with ``VaultSession/awaitSyncFolder()``.
  case folderStalled
}
