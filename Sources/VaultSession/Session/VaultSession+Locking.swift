import VaultStore

/// The reason for a lock (R12). The raw values are stored in the log.
public enum LockReason: String, Sendable, Hashable, CaseIterable {
  case request, timeout, background, deviceLocked, sleep, passwordChanged, shutdown
}

extension VaultSession {
  /// Locks the vault: the key, the index and the file are let go.
  ///
  /// What stays in memory until the process is replaced is what the allocator has not given to somebody else yet. The log goes
  /// without its entry where another process is writing at that moment: a lock waits for nobody.
  ///
  /// - Returns: whether the vault was unlocked.
  @discardableResult public func lock(_ reason: LockReason) -> Bool {
    guard let file = opened?.file else { return false }
    let state = opened?.stateAtLock()
    let (states, vault) = (opened?.states, opened?.identifier)
    opened?.release()
    opened = nil
    for cancel in backgroundTasks.values { cancel() }
    let entry = event(.locked, reason: reason.rawValue)
    do {
      try file.appendFinalEvent(entry, waits: backgroundTasks.isEmpty)
    } catch StoreError.busy where !backgroundTasks.isEmpty {
      delayedLogEntry = entry
    } catch {}
    try? file.close()
    close()
    if let state, let vault { states?.write(state, of: vault) }
    return true
  }
}
