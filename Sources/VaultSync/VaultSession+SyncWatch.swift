public import VaultSession

extension VaultSession {
  /// Waits until the folder answers, without keeping others from changing the vault, as the steps of ``synchronize(_:pause:)`` do.
  ///
  /// - Throws: ``SyncError/notEnabled``, ``VaultError/locked``, ``FileError``; `CancellationError` at once if the task is cancelled.
  public func awaitSyncFolder() async throws {
    let (folder, _) = try syncFolder()
    try await runInBackground { try folder.awaitResponse() }
  }

  /// The directories where something of other machines arrives.
  ///
  /// - Throws: ``SyncError/notEnabled``, ``VaultError/locked``, ``FileError``.
  public func syncDirectories() async throws -> [String] {
    let (folder, document) = try syncFolder()
    return try await runInBackground {
      try folder.directories(of: folder.replicas().filter { $0 != document.replica })
    }
  }
}
