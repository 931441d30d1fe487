import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension VaultSession {
  /// Does long work on an open vault in the background, and reports its progress.
  ///
  /// If the task is cancelled or the vault locked, the work is cancelled. Its result is still returned if it had already ended.
  ///
  /// - Parameter work: gets a function that notes the progress in percent, and throws `CancellationError` if the work is cancelled.
  /// - Throws: what the work throws; `CancellationError`; ``VaultError/locked``.
  func runLongWork<Value: Sendable>(
    on vault: OpenVault, _ report: (Int) async -> Void,
    _ work: @escaping @Sendable (_ note: @Sendable (Int) throws -> Void) async throws -> Value
  ) async throws -> Value {
    let (steps, progress) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
    let task = BackgroundTask {
      defer { progress.finish() }
      return try await work { percentage in
        try Task.checkCancellation()
        progress.yield(percentage)
      }
    }
    let number = (backgroundTasks.keys.max() ?? 0) + 1
    backgroundTasks[number] = { task.cancel() }
    defer { backgroundTaskEnded(number) }
    do {
      // The operation does not run on the caller's executor, so it must not use the session.
      return try await withTaskCancellationHandler {
        for await percentage in steps { await report(percentage) }
        return try await task.value(whenCancelled: .wait)
      } onCancel: {
        task.cancel()
      }
    } catch {
      throw isOpen(vault) ? error : VaultError.locked
    }
  }

  /// Changes an open vault in the background, on a separate connection.
  ///
  /// Nothing is stored of a transaction if the task is cancelled, or the vault locked, before it is committed. Other writers meet
  /// `busy` during one, as they do with another process.
  ///
  /// - Parameter work: gets a copy of the vault, and returns its result. It returns nil if it found the vault changed by another
  ///   process; it is then called again, at most three times.
  /// - Throws: as ``runLongWork(on:_:_:)``; ``VaultError/damaged(_:)`` for a vault that is not intact; `StoreError`.
  func changeInBackground<Value: Sendable>(
    _ report: (Int) async -> Void,
    _ work:
      @escaping @Sendable (
        _ copy: OpenVault, _ note: @Sendable (Int) throws -> Void
      ) throws -> Value?
  ) async throws -> Value {
    let vault = try unlocked()
    let result = try await runOnCopy(of: vault, report) { vault in
      try vault.requireWritable()
      return try OpenVault.Copy(vault)
    } _: { copy, note in
      try work(copy, note).map { (value: $0, changes: copy.commits ?? []) }
    }
    if isOpen(vault) { vault.takeOver(result.changes) }
    return result.value
  }

  /// Does long work on a copy of an open vault, as ``runLongWork(on:_:_:)`` does.
  ///
  /// - Parameters:
  ///   - copy: copies the vault when it has the changes of other processes.
  ///   - work: returns nil if it found the vault changed by another process; it then gets a new copy, at most three times in all.
  func runOnCopy<Value: Sendable>(
    of vault: OpenVault, _ report: (Int) async -> Void, _ copy: (OpenVault) throws -> OpenVault.Copy,
    _ work: @escaping @Sendable (OpenVault, _ note: @Sendable (Int) throws -> Void) throws -> Value?
  ) async throws -> Value {
    for _ in 0..<3 {
      try checkIsOpen(vault)
      try vault.refresh()
      let copy = try copy(vault)
      let value = try await runLongWork(on: vault, report) { note in
        guard let vault = try copy.open() else { return nil as Value? }
        defer { vault.close() }
        return try work(vault, note)
      }
      if let value { return value }
    }
    throw StoreError(.busy)
  }

  /// Whether work in the background uses the vault.
  package var isWorking: Bool { !backgroundTasks.isEmpty }

  /// Waits until no work in the background uses the vault. A lock cancels all of it.
  package func awaitBackgroundWork() async {
    guard isWorking else { return }
    await withCheckedContinuation { backgroundEnd.append($0) }
  }

  private func backgroundTaskEnded(_ number: Int) {
    backgroundTasks[number] = nil
    guard !isWorking else { return }
    defer {
      for waiting in backgroundEnd { waiting.resume() }
      backgroundEnd = []
    }
    guard delayedLogEntry != nil else { return }
    appendDelayedLogEntry()
    if isLocked { closeFile() }
  }

  /// Writes the log entry of a lock that came while the file could not be written.
  func appendDelayedLogEntry() {
    guard let entry = delayedLogEntry else { return }
    delayedLogEntry = nil
    try? vaultFile().appendFinalEvent(entry)
  }

  /// - Throws: ``VaultError/locked`` where a vault is no longer the one that this session has open.
  func checkIsOpen(_ vault: OpenVault) throws {
    guard isOpen(vault) else { throw VaultError.locked }
  }

  func isOpen(_ vault: OpenVault) -> Bool { opened === vault }

  /// - Throws: ``VaultError/readOnly`` where the vault's file cannot be written.
  package func requireWritableFile() throws {
    guard try !vaultFile().isReadOnly else { throw VaultError.readOnly }
  }

  /// Opens a file that holds a vault of a known key, such as a backup, and ends early if the task is cancelled.
  ///
  /// - Throws: also `CancellationError`.
  static func open(
    _ file: VaultFile, vaultKey: SecretBytes, slot: Identifier = .zero
  ) throws -> OpenVault {
    try OpenVault.open(file, vaultKey: vaultKey, slot: slot, checkpoint: .cancellable)
  }

  /// Opens the session's file, and salvages it if SQLite cannot read it.
  func open(vaultKey: SecretBytes, slot: Identifier) throws -> OpenVault {
    try open(second: nil, vaultKey: vaultKey, slot: slot)
  }

  /// Closes the vault while `body` repairs its file, then opens it again if it was unlocked, and not locked meanwhile: that
  /// cancels `body`.
  ///
  /// - Parameter body: returns its value and, if there was nothing to repair, the vault that it opened.
  func repairingFile<Value>(
    vaultKey: SecretBytes, slot: Identifier,
    _ body: () async throws -> (value: Value, unchanged: OpenVault?)
  ) async throws -> Value {
    reopensAfterRepair = !isLocked
    opened?.close()
    opened = nil
    defer {
      reopensAfterRepair = false
      if isLocked {
        appendDelayedLogEntry()
        closeFile()
      }
    }
    do {
      let (value, unchanged) = try await body()
      if !reopensAfterRepair { unchanged?.close() }
      if reopensAfterRepair {
        let vault = try unchanged ?? open(second: nil, vaultKey: vaultKey, slot: slot)
        try vault.compareWithLastKnownState(in: states)
        // What was lost may have had the number of the next write.
        if unchanged == nil, vault.replica != nil { try assignNewReplica(of: vault, at: replicaPlace()) }
        opened = vault
      }
      if unchanged == nil { record(.repaired) }
      return value
    } catch {
      if reopensAfterRepair, let vault = try? open(second: nil, vaultKey: vaultKey, slot: slot) {
        try? vault.compareWithLastKnownState(in: states)
        opened = vault
      }
      throw error
    }
  }
}
