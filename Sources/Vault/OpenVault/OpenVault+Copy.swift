import VaultInterface
import VaultStore
import Wire

extension OpenVault {
  /// An open vault for another thread, with a separate connection.
  struct Copy: Sendable {
    private let reader: RecordReader
    private let slot: Identifier
    private let generation: Int64
    private let index: CardIndex
    private let titles: TitleIndex
    private let attachments: AttachmentIndex
    private let contentFamilies: ContentFamilies
    private let settings: (settings: Settings, values: KeyValueText, revision: Int64)
    private let sync: (replica: Identifier?, revision: Int64)

    /// Copies what is known of a vault that is intact.
    init(_ vault: OpenVault) throws {
      reader = try vault.reader.duplicate()
      reader.file.writeTimeout = VaultFile.defaultTimeout
      (slot, generation) = (vault.slot, vault.generation)
      (index, titles, attachments) = (vault.index, vault.titles, vault.attachments)
      contentFamilies = vault.contentFamilies
      sync = (vault.replica, vault.syncRevision)
      settings = (vault.settings, vault.settingsValues, vault.settingsRevision)
    }

    /// - Returns: nil if another process has changed the vault since the copy was made.
    func open() throws -> OpenVault? {
      let vault = try OpenVault(reader, slot: slot)
      guard vault.generation == generation else {
        vault.close()
        return nil
      }
      (vault.index, vault.titles, vault.attachments) = (index, titles, attachments)
      vault.contentFamilies = contentFamilies
      (vault.settings, vault.settingsValues, vault.settingsRevision) = settings
      (vault.replica, vault.syncRevision) = sync
      vault.commits = []
      return vault
    }
  }

  /// Takes over what a copy of this vault has committed.
  func takeOver(_ changes: [VaultChange]) {
    var taken: UInt32 = 0
    for change in changes where change.generation == generation + 1 {
      apply(change)
      taken += 1
    }
    guard taken > 0 else { return }
    try? file.read { transaction in
      // If another process has written too, the next refresh applies its changes.
      guard let appliedCommit, let last = file.lastCommit, last.follows(appliedCommit, by: taken) else {
        return
      }
      dataVersion = try transaction.dataVersion()
      self.appliedCommit = last
    }
  }
}
