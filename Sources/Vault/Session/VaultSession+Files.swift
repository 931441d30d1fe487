import VaultCrypto
public import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// Reads all of a file that the user names, on another thread, because its file system may be slow.
  ///
  /// The vault's own file is refused: the program must not open it a second time, for closing it then drops the locks that
  /// SQLite has on it.
  ///
  /// - Parameters:
  ///   - path: as ``UserPath`` takes it.
  ///   - limit: the maximum number of bytes.
  /// - Throws: ``FileError``, `CancellationError`.
  public func readFile(_ path: String, limit: Int) async throws -> PrivateBytes {
    let path = try UserPath(path)
    guard !isVault(path) else { throw FileError.unreadable(.busy) }
    return try await runInBackground { try UserFile.read(path, limit: limit) }
  }

  /// Checks whether a file could be written; call this before making its content.
  ///
  /// - Throws: ``FileError``.
  public func checkFile(_ path: String, overwrites: Bool) throws {
    let path = try UserPath(path)
    guard !isVault(path) else { throw FileError.exists }
    try UserFile.check(path, overwrites: overwrites)
  }

  /// Writes a file under a name that the user gives, with mode 0600, atomically, on another thread.
  ///
  /// If the task is cancelled after writing began, the file is still written and its path returned. The vault's own file is
  /// never replaced.
  ///
  /// - Returns: the path, with `~` expanded.
  /// - Throws: ``FileError``; `CancellationError` if writing had not begun.
  public func writeFile(_ bytes: PrivateBytes, to path: String, overwrites: Bool) async throws -> String {
    try checkFile(path, overwrites: overwrites)
    let path = try UserPath(path)
    try await runInBackground(whenCancelled: .wait) {
      try UserFile.write([bytes], to: path, overwrites: overwrites)
    }
    return path.path
  }

  /// The files beside the vault that hold other states of it. Works locked and without a vault.
  public func conflictFiles() -> [ConflictFile] { conflicts.find() }

  /// Returns whether a path leads to the vault's file or to one that SQLite keeps beside it.
  package func isVault(_ path: UserPath) -> Bool {
    VaultFile.isPart(path.path, ofVaultAt: self.path)
  }

  /// Runs `body` with the file. If SQLite cannot read it, runs it again after reopening the file, because a read may
  /// fail temporarily, and then with the records that can be salvaged.
  func readingOrSalvaging<Value>(_ body: (VaultFile) throws -> Value) throws -> Value {
    for _ in 0..<2 {
      let file = try vaultFile()
      do {
        return try body(file)
      } catch StoreError.corrupt where !file.isSalvaged && isLocked {
        closeFile()
      }
    }
    return try body(salvage())
  }

  /// Salvages the records of the file, and uses them from now on.
  func salvage(_ isGenuine: @escaping (SalvagedRecord) -> Bool = { _ in true }) throws -> VaultFile {
    // Closing the descriptor that salvages would drop the locks of a connection.
    closeFile()
    let salvaged = try VaultFile.salvage(at: path, isGenuine: isGenuine)
    adopt(salvaged)
    return salvaged
  }

  /// Opens the vault with its key. If SQLite cannot read the file, its records are salvaged.
  ///
  /// - Parameters:
  ///   - second: another connection to the file, if there is one.
  ///   - first: runs once on this thread while another begins to read.
  func open(
    second: VaultFile? = nil, vaultKey: SecretBytes, slot: Identifier,
    doing first: (VaultFile) throws -> Void = { _ in }
  ) throws -> OpenVault {
    var (isDone, second) = (false, second)
    let vault = try vaultFile().read { try $0.vaultID() }
    for _ in 0..<2 {
      let file = try vaultFile()
      if file.isSalvaged { break }
      do {
        let opened = try OpenVault.open(file, second: second, vaultKey: vaultKey, slot: slot) {
          if !isDone { try first(file) }
          isDone = true
        }
        // A broken tree may skip intact rows.
        if try opened.isIntact || file.isStructureIntact() { return opened }
        opened.close()
      } catch StoreError.corrupt {
        // A read may have failed temporarily: open the file again.
        closeFile()
      }
      second = nil
    }
    let records = SalvagedRecords(keys: try VaultKeys(vaultKey: vaultKey), vault: vault)
    let salvaged = try salvage(records.open)
    if !isDone { try first(salvaged) }
    return try OpenVault.open(salvaged, vaultKey: vaultKey, slot: slot)
  }

  /// The attempts of this machine; nil if it can remember none.
  func machineAttempts(_ vault: Identifier) -> MachineAttempts? {
    states.map { MachineAttempts(states: $0, vault: vault) }
  }

  /// Returns the lock for the tokens of the vault's account, not acquired; nil without a vault, or where it cannot be made.
  public func tokenLock() -> TokenLock? {
    guard let states, let vault = try? vaultIdentifier() else { return nil }
    return TokenLock(of: vault, in: states)
  }

  /// Appends an event to the log of this machine.
  ///
  /// - Returns: false if it cannot be written there.
  func recordOnMachine(_ event: EventRow, of vault: Identifier) -> Bool {
    guard let states else { return false }
    let texts = [event.kind, event.method ?? "", event.reason ?? ""].map { text in
      String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }.prefix(255)))
    }
    return states.events(of: vault).append(([String(event.at)] + texts).joined(separator: "\t"))
  }

  /// Returns whether the log of this machine has an event of this kind.
  func hasRecordedOnMachine(_ event: VaultEvent, of vault: Identifier) -> Bool {
    states?.events(of: vault).contains("\t\(event.rawValue)\t") ?? false
  }

  /// The newest events of this machine, newest first.
  func eventsOfMachine(_ vault: Identifier) -> [EventRow] {
    guard let states else { return [] }
    let lines = states.events(of: vault).lastLines(WriteTransaction.keptEvents)
    return lines.reversed().compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4, let time = Int64(fields[0]) else { return nil }
      return EventRow(
        at: time, kind: fields[1], method: fields[2].isEmpty ? nil : fields[2],
        reason: fields[3].isEmpty ? nil : fields[3])
    }
  }
}
