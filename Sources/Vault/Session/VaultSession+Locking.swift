import VaultStore

/// The reason for a lock (R12). The raw values are stored in the log.
public enum LockReason: String, Sendable, Hashable, CaseIterable {
  case request, timeout, background, deviceLocked, sleep, passwordChanged, shutdown
}

extension VaultSession {
  /// Locks the vault: releases the key and the index, and closes the file.
  ///
  /// Freed memory that was not reused yet stays until the process is replaced. The log entry is left out if another process
  /// is writing at that moment, because a lock does not wait.
  ///
  /// - Returns: whether the vault was unlocked.
  @discardableResult public func lock(_ reason: LockReason) -> Bool {
    guard let file = opened?.file else { return lockDuringRepair(reason) }
    let state = opened?.stateAtLock()
    let (states, vault) = (opened?.states, opened?.identifier)
    opened?.release()
    opened = nil
    for cancel in backgroundTasks.values { cancel() }
    let entry = event(.locked, reason: reason.rawValue)
    do {
      if vault.map({ recordOnMachine(entry, of: $0) }) != true {
        try file.appendFinalEvent(entry, waits: backgroundTasks.isEmpty)
      }
    } catch StoreError.busy where !backgroundTasks.isEmpty {
      delayedLogEntry = entry
    } catch {}
    try? file.close()
    close()
    if let state, let vault { states?.write(state, .state, of: vault) }
    return true
  }

  /// Keeps a repair from opening the vault again when it ends.
  private func lockDuringRepair(_ reason: LockReason) -> Bool {
    guard reopensAfterRepair else { return false }
    reopensAfterRepair = false
    delayedLogEntry = event(.locked, reason: reason.rawValue)
    return true
  }
}
