public import VaultInterface
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
  /// A program used cards for an agent, as the person allowed.
  case agentUsed
  /// A value was inserted into a document of an editor.
  case inserted
  /// The process could not keep its memory out of swap.
  case memoryNotLocked
}

extension VaultSession {
  /// The newest entries of the log, newest first; it keeps 1,000. Works locked.
  public func log(limit: Int) throws -> [LogEntry] {
    let (stored, vault) = try readingOrSalvaging { file in
      try file.read { (try $0.events(limit: limit), try? $0.vaultID()) }
    }
    let own = vault.map { eventsOfMachine($0) } ?? []
    return Self.merged(own, stored).prefix(max(limit, 0)).map { row in
      LogEntry(time: Timestamp(milliseconds: row.at), event: row.kind, means: row.method, reason: row.reason)
    }
  }

  /// Merges two lists of events by their times, and keeps the order of each.
  private static func merged(_ left: [EventRow], _ right: [EventRow]) -> [EventRow] {
    var (merged, rest) = ([EventRow](), right[...])
    for event in left {
      merged += rest.prefix { $0.at > event.at }
      rest = rest.drop { $0.at > event.at }
      merged.append(event)
    }
    return merged + rest
  }

  /// Appends a log entry; ignores errors.
  public func record(_ event: VaultEvent, means: String? = nil, reason: String? = nil) {
    guard let file = try? vaultFile() else { return }
    append(self.event(event, means: means, reason: reason), file)
  }

  /// Appends an event to the log of this machine, or else to that in the file; ignores errors.
  private func append(_ event: EventRow, _ file: VaultFile) {
    if let vault = try? opened?.identifier ?? file.read({ try $0.vaultID() }),
      recordOnMachine(event, of: vault)
    {
      return
    }
    try? file.appendEvent(event)
  }

  /// Appends a log entry, unless the log has one of this kind.
  public func recordOnce(_ event: VaultEvent) {
    guard let opened, !hasRecordedOnMachine(event, of: opened.identifier),
      let entries = try? log(limit: Int.max), !entries.contains(where: { $0.event == event.rawValue })
    else { return }
    record(event)
  }

  /// Makes a log entry with the current time.
  func event(_ event: VaultEvent, means: String? = nil, reason: String? = nil) -> EventRow {
    EventRow(at: clock.wall, kind: event.rawValue, method: means, reason: reason)
  }
}
