package import Identifiers
package import JSON
package import VaultModel

/// `attachment/list`: the attachments of a card, oldest first.
package struct AttachmentList: VaultRequest {
  package static let method = "attachment/list"
  package typealias Response = ItemsResponse<AttachmentJSON>

  package var card: Identifier

  package static let coder = ObjectCoder(Self.init, .required("cardId", \.card))
}

extension ItemsResponse<AttachmentJSON> {
  package init(items: [Attachment]) {
    self.init(items: items.map(AttachmentJSON.init))
  }
}
