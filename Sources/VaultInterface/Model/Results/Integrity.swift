/// Whether all records of a vault are present and can be decrypted, and whether it is the newest copy that is known.
public enum Integrity: String, Sendable, CaseIterable {
  case intact, damaged, older

  /// Returns `intact` if the argument is true, else `damaged`.
  public init(isIntact: Bool) { self = isIntact ? .intact : .damaged }
}
