/// A kind of damage that a verification finds.
public enum Finding: String, Sendable, CaseIterable {
  /// Sealed records were changed, removed, added or put back, or do not open.
  case records
  /// SQLite finds the structure of the file damaged.
  case structure
  /// The key slots are not those that the vault was last written with, such as the slot of an earlier password.
  case keySlots
  /// The settings that are stored in plaintext were changed.
  case plainSettings
  /// The count of wrong passwords was removed.
  case attempts
}
