extension VaultSession {
  /// Waits until the folder answers, without keeping others from changing the vault, as the steps of ``synchronize(_:pause:)`` do.
  ///
  /// - Throws: ``SyncError/notEnabled``, ``VaultError/locked``, ``FileError``; `CancellationError` at once if the task is cancelled.
  public func awaitSyncFolder() async throws {
    let (folder, _) = try syncFolder()
    try await folder.calls.thread.run { [files = folder.files] in try files.awaitResponse() }
  }

  /// Runs `body` with the directories where something of other machines arrives, on the thread of the calls on the folder.
  ///
  /// - Throws: ``SyncError/notEnabled``, ``VaultError/locked``, ``FileError``, what `body` throws; `CancellationError`.
  public func withSyncDirectories<Value: Sendable>(
    _ body: @escaping @Sendable ([String]) throws -> Value
  ) async throws -> Value {
    let (folder, document) = try syncFolder()
    return try await folder.calls.thread.run { [files = folder.files] in
      let others = try SyncFolder.replicas(files.names(in: "changes")).filter { $0 != document.replica }
      return try body(files.directories(of: others))
    }
  }
}
