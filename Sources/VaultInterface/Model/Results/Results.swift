public import Wire

/// A page of a longer list.
public struct Page<Item: Sendable>: Sendable {
  public var items: [Item]
  /// The number of items on all pages.
  public var total: Int
  /// The cursor of the next page; nil on the last.
  public var nextCursor: String?

  public init(items: [Item], total: Int, nextCursor: String?) {
    (self.items, self.total, self.nextCursor) = (items, total, nextCursor)
  }

  /// Returns the same page with its items transformed.
  public func map<Other>(_ transform: (Item) -> Other) -> Page<Other> {
    Page<Other>(items: items.map(transform), total: total, nextCursor: nextCursor)
  }
}

/// A search result: a card without its values, and the matches in it.
public struct SearchHit: Sendable, Hashable {
  public var card: Card
  public var matches: [FieldMatch]

  public init(card: Card, matches: [FieldMatch]) { (self.card, self.matches) = (card, matches) }
}

/// A card that exists in two versions, because it was changed in two copies of the vault.
public struct CardConflict: Sendable, Hashable {
  /// The card; nil if it is gone, or nothing tells which it is.
  public var card: Identifier?
  /// The conflict copy.
  public var copy: Identifier
  /// The title of the conflict copy without the note.
  public var title: String

  public init(card: Identifier?, copy: Identifier, title: String) {
    (self.card, self.copy, self.title) = (card, copy, title)
  }
}

/// A file beside a vault that holds another state of it: what a program that carries folders kept of two that were
/// changed, or what QuickVault saved when such a program replaced an open file.
public struct ConflictFile: Sendable, Hashable {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A complete vault, which can be merged.
    case copy
    /// A log whose database is missing.
    case log
  }

  /// The maximum number of files that are reported.
  public static let limit = 100

  public var path: String
  public var kind: Kind

  public init(path: String, kind: Kind) { (self.path, self.kind) = (path, kind) }
}

/// A vault's file that is older than one that was open before on this machine, or diverged from it.
public struct OlderCopy: Sendable, Hashable {
  /// When the newest card of this file was modified; nil without cards.
  public var modifiedAt: Timestamp?
  /// When the newest card of the other was modified; nil without cards.
  public var lastSeenModifiedAt: Timestamp?

  public init(modifiedAt: Timestamp?, lastSeenModifiedAt: Timestamp?) {
    (self.modifiedAt, self.lastSeenModifiedAt) = (modifiedAt, lastSeenModifiedAt)
  }
}

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

/// Whether all records of a vault are present and can be decrypted, and whether it is the newest copy that is known.
public enum Integrity: String, Sendable, CaseIterable {
  case intact, damaged, older

  /// Returns `intact` if the argument is true, else `damaged`.
  public init(isIntact: Bool) { self = isIntact ? .intact : .damaged }
}

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

/// The result of a merge or of its dry run.
public struct Merge: Sendable, Hashable {
  /// The numbers of cards that the other copy added, changed and deleted, and of all others.
  public var added, updated, deleted, unchanged: Int
  /// Whether the settings of the other copy were adopted.
  public var takesSettings: Bool
  /// The cards that both sides changed, sorted by copy: ``conflictLimit`` at the most.
  public var conflicts: [CardConflict]
  /// The number of further such cards; nil for none.
  public var conflictsLeftOut: Int?

  /// The most conflicts that are listed: with titles of the greatest length they are shorter than the longest message.
  public static let conflictLimit = 5_000

  public init(
    added: Int = 0, updated: Int = 0, deleted: Int = 0, unchanged: Int = 0, takesSettings: Bool = false,
    conflicts: [CardConflict] = [], conflictsLeftOut: Int? = nil
  ) {
    (self.added, self.updated, self.deleted) = (added, updated, deleted)
    (self.unchanged, self.takesSettings, self.conflicts) = (unchanged, takesSettings, conflicts)
    self.conflictsLeftOut = conflictsLeftOut
  }

  /// Lists conflicts as far as the limit goes, and counts the others.
  public mutating func list(_ all: [CardConflict]) {
    (conflicts, conflictsLeftOut) = Self.limited(all)
  }

  /// Returns the first ``conflictLimit`` conflicts, and the number of the others; nil for none.
  public static func limited<Element>(_ all: [Element]) -> (listed: [Element], leftOut: Int?) {
    (Array(all.prefix(conflictLimit)), all.count > conflictLimit ? all.count - conflictLimit : nil)
  }
}

/// A backup that was made.
public struct Backup: Sendable, Hashable {
  /// The absolute path.
  public var path: String
  /// The size in bytes.
  public var size: Int
  /// The number of cards, damaged ones included.
  public var cards: Int
  public var attachments: Int
  /// The state of the copy. A backup of a damaged vault has the same damage.
  public var integrity: Integrity
  /// The absolute paths of the older backups that were deleted, oldest first.
  public var removed: [String]

  public init(
    path: String, size: Int, cards: Int, attachments: Int, integrity: Integrity, removed: [String]
  ) {
    (self.path, self.size, self.cards) = (path, size, cards)
    (self.attachments, self.integrity, self.removed) = (attachments, integrity, removed)
  }
}

/// A log entry. It never contains private data.
public struct LogEntry: Sendable, Hashable {
  public var time: Timestamp
  /// The event, such as `unlocked` or `wrongPassword`. A newer program may have written events that this one does not know.
  public var event: String
  /// The means of authentication, such as `password`.
  public var means: String?
  /// The reason of a lock, such as `timeout`.
  public var reason: String?

  public init(time: Timestamp, event: String, means: String?, reason: String?) {
    (self.time, self.event, self.means, self.reason) = (time, event, means, reason)
  }
}

/// A device that unlocks the vault with a secret in its keychain (T).
public struct BoundDevice: Sendable, Hashable {
  /// The identifier of the device for this vault, which is also that of its slot.
  public var id: Identifier
  /// The name that the user gave it, at most ``Limits/deviceName`` code points.
  public var name: String
  public var createdAt: Timestamp
  /// The time of its last unlock; nil for never.
  public var lastUsedAt: Timestamp?
  public var isThisDevice: Bool

  public init(
    id: Identifier, name: String, createdAt: Timestamp, lastUsedAt: Timestamp?, isThisDevice: Bool
  ) {
    (self.id, self.name, self.createdAt) = (id, name, createdAt)
    (self.lastUsedAt, self.isThisDevice) = (lastUsedAt, isThisDevice)
  }
}

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
