extension FixedWidthInteger {
  /// Returns the next revision, generation or number of a write.
  ///
  /// - Throws: ``VaultError`` if there is none.
  package func incremented() throws(VaultError) -> Self {
    guard self < .max else { throw .failed(.counterExhausted) }
    return self + 1
  }

  /// The next number, where the largest stays: for what another machine has written.
  package var saturatingSuccessor: Self { self < .max ? self + 1 : self }
}
