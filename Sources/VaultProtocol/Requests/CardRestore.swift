package import Identifiers
package import JSON

/// `card/restore`: undoes the deletion of a card, until the vault is locked (R1).
package struct CardRestore: VaultRequest {
  package static let method = "card/restore"
  package typealias Response = CardResponse

  package var id: Identifier

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}
