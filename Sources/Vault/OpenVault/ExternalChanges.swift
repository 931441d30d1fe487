import VaultInterface
public import Wire

/// What other processes changed in the vault.
public enum ExternalChanges: Sendable, Hashable {
  /// These cards.
  case cards(changed: Set<Identifier>, deleted: Set<Identifier>)
  /// Anything: the changed cards are not known one by one.
  case all

  /// Combines these changes with later ones.
  func followed(by later: ExternalChanges) -> ExternalChanges {
    guard case .cards(let changed, let deleted) = self,
      case .cards(let laterChanged, let laterDeleted) = later
    else {
      return .all
    }
    return .cards(
      changed: changed.subtracting(laterDeleted).union(laterChanged),
      deleted: deleted.subtracting(laterChanged).union(laterDeleted))
  }
}
