import VaultStore

extension VaultSession {
  /// Does long work on an open vault in the background, and reports its progress.
  ///
  /// If the task is cancelled or the vault locked, the work is cancelled. Its result is still returned if it had already ended.
  ///
  /// - Parameter work: gets a function that notes the progress in percent, and throws `CancellationError` if the work is cancelled.
  /// - Throws: what the work throws; `CancellationError`; ``VaultError/locked``.
  package func runLongWork<Value: Sendable>(
    on vault: any VaultAccess, _ report: (Int) async -> Void,
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
  package func changeInBackground<Value: Sendable>(
    _ report: (Int) async -> Void,
    _ work:
      @escaping @Sendable (
        _ copy: any VaultAccess, _ note: @Sendable (Int) throws -> Void
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
}
