public import VaultSession

extension VaultSession {
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
