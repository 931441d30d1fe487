/// Whether all records of a vault are present and can be decrypted.
public enum Integrity: String, Sendable, CaseIterable {
  case intact, damaged

  /// Returns `intact` if the argument is true, else `damaged`.
  public init(isIntact: Bool) { self = isIntact ? .intact : .damaged }
}
