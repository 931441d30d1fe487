public import Wire

/// The unsaved text of a form for a card, kept over a lock (R12).
public struct FormDraft: Sendable, Hashable {
  /// The purpose of a form. A vault keeps one draft for each.
  public struct Form: Sendable, Hashable {
    /// The client's name, at most ``Limits/clientName`` code points.
    public var client: String
    /// The type of the new card, or of the one that is edited.
    public var type: CardType
    /// The card that is edited; nil for a new one.
    public var card: Identifier?
    /// What the client calls this form, at most ``Limits/clientName`` code points, so that two of its processes keep the drafts
    /// of one card beside each other; nil if it has one process.
    public var name: String?

    public init(client: String, type: CardType, card: Identifier?, name: String? = nil) {
      (self.client, self.type, self.card, self.name) = (client, type, card, name)
    }
  }

  public var form: Form
  /// The revision of the card that the user saw; nil for a new card.
  public var revision: Int?
  public var savedAt: Timestamp
  /// The text of the form; at most ``Limits/draftText`` code points.
  public var text: String

  public init(form: Form, revision: Int?, savedAt: Timestamp, text: String) {
    (self.form, self.revision, self.savedAt, self.text) = (form, revision, savedAt, text)
  }
}
