package import Wire

/// `card/didChange`: another process changed the vault.
package struct CardDidChange: VaultNotification, Hashable {
  package static let method = "card/didChange"

  package enum Extent: Sendable, Hashable {
    case cards(changed: [Identifier], deleted: [Identifier])
    /// So much that the client should read everything again.
    case all
  }

  package var extent: Extent

  package init(_ extent: Extent) { self.extent = extent }

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      if let all: Bool = try parameters.optional("all"), all { return Self(.all) }
      return Self(
        .cards(changed: try parameters.required("changed"), deleted: try parameters.required("deleted")))
    },
    write: { notification, members in
      switch notification.extent {
      case .cards(let changed, let deleted):
        members += [.init("changed", changed.json), .init("deleted", deleted.json)]
      case .all: members.append(.init("all", true))
      }
    })
}
