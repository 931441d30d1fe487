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
    opened?.release()
    opened = nil
    let entry = event(.locked, reason: reason.rawValue)
    do {
      try file.appendEventWithoutWaiting(entry)
    } catch StoreError.nestedTransaction {
      lateEntry = entry
    } catch {}
    try? file.close()
    close()
    return true
  }

  /// Writes the log entry of a lock that came during a transaction, now that this was rolled back.
  package func writeLateEntry() {
    guard let entry = lateEntry else { return }
    lateEntry = nil
    try? vaultFile().appendEventWithoutWaiting(entry)
    closeFile()
  }
}
