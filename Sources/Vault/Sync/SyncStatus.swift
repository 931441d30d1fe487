public import VaultInterface
public import Wire

/// The status of a synchronised vault.
public struct SyncStatus: Hashable, Sendable {
  /// Another replica, as this one sees it.
  public struct Replica: Hashable, Sendable {
    public var id: Identifier
    /// The name of the machine.
    public var machine: String
    /// When its newest segment that is here was published; nil before the first.
    public var lastSeen: Timestamp?
    /// The number of segments that others have seen, and this one has not.
    public var behind: Int
    public var problem: SyncProblem?
    /// Whether a part of its newest snapshot is not here, so that cards are missing.
    public var isPartial = false
  }

  /// The folder as the user named it.
  public var folder: String
  public var replica: Identifier
  /// The name of this machine.
  public var machine: String
  /// The number of segments that this replica has published.
  public var published: Int
  public var others: [Replica]
  /// Whether another machine made another vault key: nothing is published and read before this one follows it with the new
  /// password.
  public var hasNewKey = false
}

/// What is wrong with the stream of another replica, as this one sees it. None of these loses anything: what is missing or
/// changed is not applied, and is looked at again.
public enum SyncProblem: Hashable, Sendable {
  /// A segment is not here, although a later one is, or although it was here once. It may still be on its way.
  case missing(Int64)
  /// A segment does not open: it is truncated, changed, or another's.
  case unreadable(Int64)
  /// A segment that was read once has other bytes now, or does not continue the one before it.
  case replaced(Int64)
  /// Instead of a segment, there is a placeholder of a cloud client, which has not fetched the file.
  case placeholder(Int64)
  /// The content of an attachment is not here.
  case contentMissing(Int64)

  /// Whether it ends the stream, rather than let cards wait.
  var isOfStream: Bool {
    if case .contentMissing = self { false } else { true }
  }
}

/// Why a synchronisation lets others change the vault before it goes on.
public enum SyncPause: Sendable {
  /// Something was merged.
  case merged(Merge)
  /// The folder has not answered in time. Wait with ``VaultSession/awaitSyncFolder()``.
  case folderStalled
}

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
