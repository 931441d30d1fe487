public import VaultModel
import VaultStore

/// An event of opening or closing a vault. The raw values are stored in the file.
public enum VaultEvent: String, Sendable, Hashable, CaseIterable {
  /// The vault was made.
  case created
  /// It was unlocked.
  case unlocked
  /// A wrong password was tried.
  case wrongPassword
  /// Three wrong passwords were tried, and a wait began.
  case lockedOut
  /// A password was refused during a wait, without being tried.
  case refused
  /// It was locked.
  case locked
  /// The password was changed.
  case passwordChanged
  /// It was damaged, and was repaired.
  case repaired
  /// The settings in plaintext differed from the encrypted ones, and were restored.
  case settingsForged
  /// Three scans matched no enrolled finger.
  case fingerprintFailed
  /// A device was bound.
  case deviceBound
  /// A device's binding was revoked.
  case deviceRevoked
  /// A device's binding ended because the enrolled fingerprints had changed.
  case deviceVoided
  /// A program was admitted to the unlocked vault.
  case clientAdmitted
  /// A value was inserted into a document of an editor.
  case inserted
  /// The process could not keep its memory out of swap.
  case memoryNotLocked
}

extension VaultSession {
  /// The newest entries of the log, newest first; it keeps 1,000. Works locked.
  public func log(limit: Int) throws -> [LogEntry] {
    try readingOrSalvaging { try $0.read { try $0.events(limit: limit) } }.map { row in
      LogEntry(time: Timestamp(milliseconds: row.at), event: row.kind, means: row.method, reason: row.reason)
    }
  }

  /// Appends a log entry; ignores errors.
  public func record(_ event: VaultEvent, means: String? = nil, reason: String? = nil) {
    try? vaultFile().appendEvent(self.event(event, means: means, reason: reason))
  }

  /// Appends a log entry, unless the log has one of this kind.
  public func recordOnce(_ event: VaultEvent) {
    guard let entries = try? log(limit: Int.max), !entries.contains(where: { $0.event == event.rawValue })
    else { return }
    record(event)
  }

  /// Makes a log entry with the current time.
  func event(_ event: VaultEvent, means: String? = nil, reason: String? = nil) -> EventRow {
    EventRow(at: clock.wall, kind: event.rawValue, method: means, reason: reason)
  }
}
