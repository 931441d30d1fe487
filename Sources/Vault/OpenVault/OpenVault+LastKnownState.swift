import VaultCrypto
import VaultInterface
import VaultStore
import Wire

extension OpenVault {
  /// The number of changes after which the vault's state is written, besides at unlock and lock: as many can be rolled back
  /// unnoticed after the process was killed.
  private static let changesBetweenStates: Int64 = 16

  /// Compares the vault with its state when it was last open, and stores the current state.
  func compareWithLastKnownState(in states: StateDirectory?) throws {
    self.states = states
    guard states != nil, let now = try currentState() else { return }
    let last = LastKnownState(of: reader, in: states)
    needsNewReplica = replica != nil && last?.isAhead(of: now) ?? true
    if let last, last.isAhead(of: now) {
      older = OlderCopy(modifiedAt: now.modifiedAt, lastSeenModifiedAt: last.modifiedAt)
    } else {
      remember(now)
    }
  }

  /// Stores the current state, even if a newer one is stored.
  func acceptOlder() throws {
    older = nil
    if let now = try currentState() { remember(now) }
  }

  /// Stores the current state, if the vault changed a number of times since it was stored.
  func rememberChanges() {
    guard generation - remembered >= Self.changesBetweenStates, states != nil else { return }
    if let now = try? currentState() { remember(now) }
  }

  /// Returns what is to be written when the vault is locked; nil for nothing.
  func stateAtLock() -> [UInt8]? {
    guard states != nil, older == nil, isIntact, generation > remembered, let now = try? currentState()
    else { return nil }
    return try? seal(now)
  }

  /// The state as the file has it; nil if its head does not open.
  private func currentState() throws -> LastKnownState? {
    try LastKnownState(now: reader, index.newestModification)
  }

  private func remember(_ state: LastKnownState) {
    guard let states, let sealed = try? seal(state) else { return }
    states.write(sealed, .state, of: identifier)
    remembered = state.generation
  }

  private func seal(_ state: LastKnownState) throws -> [UInt8] {
    try reader.seal(.lastSeen, .zero, 0, state.encoded())
  }
}
