public import Wire

/// The result of a verification.
public struct Verification: Sendable, Hashable {
  public var cards: Int
  public var attachments: Int
  /// The cards and attachments that cannot be decrypted.
  public var damaged: [Identifier]
  /// The kinds of damage that were found, in the order of ``Finding``; empty if the vault is intact.
  public var findings: [Finding]
  public var integrity: Integrity

  public init(
    cards: Int, attachments: Int, damaged: [Identifier], findings: [Finding] = [], integrity: Integrity
  ) {
    (self.cards, self.attachments) = (cards, attachments)
    (self.damaged, self.findings, self.integrity) = (damaged, findings, integrity)
  }
}
