public import Identifiers
import VaultModel

/// What other processes changed in the vault since this one looked last.
public enum ForeignChanges: Sendable, Hashable {
  /// These cards.
  case cards(changed: Set<Identifier>, deleted: Set<Identifier>)
  /// More than is known card by card.
  case all

  /// Both these changes and later ones.
  func followed(by later: ForeignChanges) -> ForeignChanges {
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
