extension FixedWidthInteger {
  /// Returns the next revision, generation or number of a write.
  ///
  /// - Throws: ``VaultError`` if there is none.
  package func incremented() throws(VaultError) -> Self {
    guard self < .max else { throw .failed(.counterExhausted) }
    return self + 1
  }
}
