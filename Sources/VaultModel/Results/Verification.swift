public import Identifiers

/// The result of a verification.
public struct Verification: Sendable, Hashable {
  public var cards: Int
  public var attachments: Int
  /// The cards and attachments that cannot be decrypted.
  public var damaged: [Identifier]
  public var integrity: Integrity

  public init(cards: Int, attachments: Int, damaged: [Identifier], integrity: Integrity) {
    (self.cards, self.attachments) = (cards, attachments)
    (self.damaged, self.integrity) = (damaged, integrity)
  }
}
