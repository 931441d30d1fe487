package import Identifiers
package import JSON

/// `card/setPinned`: pins a card to the top of every list, or unpins it.
package struct CardSetPinned: VaultRequest {
  package static let method = "card/setPinned"
  package typealias Response = CardResponse

  package var id: Identifier
  package var isPinned: Bool

  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .required("pinned", \.isPinned))
}
