package import Wire

/// The answer when the vault is open.
package struct UnlockResponse: ResultObject, Hashable {
  package var cardCount: Int
  /// The time without activity after which the vault locks, in seconds; nil for never.
  package var autoLockSeconds: Int?
  /// Whether to offer fingerprint unlock now. Each device is offered it once.
  package var offersBiometric: Bool
  /// The state of the vault.
  package var integrity: Integrity
  /// The times of an older copy; nil for any other.
  package var older: OlderCopy?
  /// True if the vault can be read and not written; else nil.
  package var isReadOnly: Bool?
  /// Nil unless this is a demo vault.
  package var demo: DemoDescription?

  package init(
    cardCount: Int, autoLockSeconds: Int?, offersBiometric: Bool, integrity: Integrity, older: OlderCopy?,
    isReadOnly: Bool?, demo: DemoDescription?
  ) {
    (self.older, self.isReadOnly) = (older, isReadOnly)
    (self.cardCount, self.autoLockSeconds) = (cardCount, autoLockSeconds)
    (self.offersBiometric, self.integrity, self.demo) = (offersBiometric, integrity, demo)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("cardCount", \.cardCount), .nullable("autoLockSeconds", \.autoLockSeconds),
    .required("offerBiometric", \.offersBiometric), .required("integrity", \.integrity),
    .optional("older", \.older), .optional("readOnly", \.isReadOnly), .optional("demo", \.demo))
}

extension OlderCopy: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .optional("modifiedAt", \.modifiedAt), .optional("lastSeenModifiedAt", \.lastSeenModifiedAt))
}
