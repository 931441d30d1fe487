package import Identifiers
package import JSON

/// `card/restore`: undoes the deletion of a card, until the vault is locked (R1).
package struct CardRestore: VaultRequest {
  package static let method = "card/restore"
  package typealias Response = CardResponse

  package enum Deleted: JSONObject, Hashable {
    case id(Identifier)
    /// The title, or the beginning of the id, of the card that was deleted last of those.
    case name(String)

    /// Takes exactly one of the two parameters.
    package static let coder = ObjectCoder<Self>(
      read: { parameters throws(ParameterError) in
        let id: Identifier? = try parameters.optional("id")
        let name: String? = try parameters.optional("name")
        switch (id, name) {
        case (let id?, nil): return .id(id)
        case (nil, let name?): return .name(name)
        case (nil, nil): throw ParameterError("id", .presence)
        case (_?, _?): throw ParameterError("name", .absenceWith("id"))
        }
      },
      write: { deleted, members in
        switch deleted {
        case .id(let id): members.append(.init("id", id.json))
        case .name(let name): members.append(.init("name", .string(name)))
        }
      })
  }

  package var card: Deleted

  package static let coder = ObjectCoder(Self.init, .members(\.card))
}
