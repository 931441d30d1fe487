public import Identifiers

/// The outcome of an import for one entry.
public enum ImportOutcome: Sendable, Hashable {
  /// Stored under this identifier.
  case imported(Identifier)
  /// Can be stored; this was a dry run.
  case ready
  /// The vault, or an earlier entry, has the same content.
  case duplicate
  /// Cannot be stored, or was left out on purpose: see its issues and warnings.
  case skipped
}
