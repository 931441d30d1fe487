import VaultInterface
import VaultStore
import Wire

extension VaultSession {
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
