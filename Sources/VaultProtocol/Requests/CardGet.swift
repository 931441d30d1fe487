package import Identifiers
package import JSON

/// `card/get`: one card with its values.
package struct CardGet: VaultRequest {
  package static let method = "card/get"
  package typealias Response = CardResponse

  package var id: Identifier

  package static let coder = ObjectCoder(Self.init, .required("id", \.id))
}
