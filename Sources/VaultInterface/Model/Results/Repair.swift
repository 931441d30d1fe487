public import Wire

/// The result of a repair.
public struct Repair: Sendable, Hashable {
  /// A record that cannot be decrypted.
  public enum Dropped: Sendable, Hashable {
    case card(Identifier)
    /// An attachment, whose card was kept without it.
    case attachment(Identifier)
    /// A document, such as the settings.
    case document(String)
  }

  /// The numbers of records that were kept.
  public struct Kept: Sendable, Hashable {
    public var cards, attachments: Int

    public init(cards: Int, attachments: Int) { (self.cards, self.attachments) = (cards, attachments) }
  }

  /// The absolute path of the copy of the damaged file; nil if there was nothing to repair.
  public var backup: String?
  public var kept: Kept
  public var dropped: [Dropped]
  /// The number of cards that the vault's head counted and that were not found; nil if the head is lost.
  public var missing: Int?
  public var integrity: Integrity

  public init(
    backup: String?, kept: Kept, dropped: [Dropped], missing: Int?, integrity: Integrity = .intact
  ) {
    (self.backup, self.kept, self.dropped) = (backup, kept, dropped)
    (self.missing, self.integrity) = (missing, integrity)
  }
}
