package import Wire

/// `card/history`: what a card contained before it was edited, newest first (R1).
package struct CardHistoryList: VaultRequest {
  package static let method = "card/history"

  package var id: Identifier

  package init(id: Identifier) { self.id = id }

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))

  package struct Response: ResultObject, Hashable {
    /// Without concealed values.
    package var versions: [CardVersionJSON]

    package init(versions: [CardVersionJSON]) { self.versions = versions }

    package static let coder = ObjectCoder(Self.init, .required("versions", \.versions))
  }
}

/// An earlier version of a card.
package struct CardVersionJSON: ResultObject, Hashable {
  package var version: String
  package var modifiedAt: Timestamp
  package var card: CardJSON

  package init(_ version: String, _ card: Card, in language: Language, concealing: Bool) {
    var card = card
    if concealing {
      for index in card.extraFields.indices where card.extraFields[index].concealed {
        card.extraFields[index].value = FormText.mask
      }
    }
    self.init(version: version, modifiedAt: card.modifiedAt, card: CardJSON(card, in: language))
  }

  private init(version: String, modifiedAt: Timestamp, card: CardJSON) {
    (self.version, self.modifiedAt, self.card) = (version, modifiedAt, card)
  }

  package static let coder = ObjectCoder(
    Self.init(version:modifiedAt:card:), .required("version", \.version),
    .required("modifiedAt", \.modifiedAt),
    .required("card", \.card))
}

/// `card/version`: one earlier version of a card, with its concealed values.
package struct CardVersionGet: VaultRequest {
  package static let method = "card/version"
  package typealias Response = CardVersionJSON

  package var id: Identifier
  package var version: String

  package init(id: Identifier, version: String) { (self.id, self.version) = (id, version) }

  package static let coder = ObjectCoder(Self.init, .required("id", \.id), .required("version", \.version))
}

/// `card/revert`: gives a card the contents of an earlier version (R1).
package struct CardRevert: VaultRequest {
  package static let method = "card/revert"
  package typealias Response = CardResponse

  package var id: Identifier
  /// Nil for the newest one.
  package var version: String?
  /// The revision that the client has seen; nil for any.
  package var revision: Int?

  package init(id: Identifier, version: String? = nil, revision: Int? = nil) {
    (self.id, self.version, self.revision) = (id, version, revision)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .optional("version", \.version),
    .integer("revision", \.revision, in: 1...Int.max))
}

/// `card/trash`: the cards that were deleted and can still be restored, deleted last first (R1).
package struct CardTrash: ParameterlessRequest {
  package static let method = "card/trash"

  package init() {}

  package struct Response: ResultObject, Hashable {
    package var items: [CardJSON]
    /// The size of their attachments.
    package var attachmentBytes: Int
    /// How large they may be together, but for one card.
    package var attachmentLimit: Int

    package init(items: [CardJSON], attachmentBytes: Int, attachmentLimit: Int = Limits.trashedBytes) {
      (self.items, self.attachmentBytes) = (items, attachmentBytes)
      self.attachmentLimit = attachmentLimit
    }

    package static let coder = ObjectCoder(
      Self.init, .required("items", \.items), .required("attachmentBytes", \.attachmentBytes),
      .required("attachmentLimit", \.attachmentLimit))
  }
}

/// `card/purge`: deletes a card in the trash for good, or all of them (R1).
package struct CardPurge: VaultRequest {
  package static let method = "card/purge"

  /// Nil for all.
  package var id: Identifier?

  package init(id: Identifier? = nil) { self.id = id }

  package static let coder = ObjectCoder(Self.init, .optional("id", \.id))

  package struct Response: ResultObject, Hashable {
    /// How many cards were deleted.
    package var purged: Int

    package init(purged: Int) { self.purged = purged }

    package static let coder = ObjectCoder(Self.init, .required("purged", \.purged))
  }
}
