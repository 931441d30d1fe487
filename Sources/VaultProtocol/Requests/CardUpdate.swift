package import Identifiers
package import JSON
package import VaultModel

/// `card/update`: changes the given parts of a card (R1).
package struct CardUpdate: VaultRequest {
  package static let method = "card/update"
  package typealias Response = SavedCardResponse

  package var id: Identifier
  /// The revision that the client has seen; nil for any.
  package var revision: Int?
  /// Fields are merged, and one that is null is removed; extra fields and tags are replaced.
  package var change: CardChange

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .integer("revision", \.revision, in: 1...Int.max),
    .members(\.change))
}
