public import JSON
public import Identifiers
public import JSONRPC
public import VaultModel

/// `attachment/list`: what is attached to a card.
public struct AttachmentList: RequestType {
  /// The method's name.
  public static let method = "attachment/list"

  /// The card.
  public var card: Identifier

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    card = try parameters.required("cardId")
  }

  /// The attachments of a card, oldest first.
  public struct Answer: JSONConvertible {
    /// The attachments.
    public var items: [Attachment]

    /// An answer of the given attachments.
    public init(items: [Attachment]) {
      self.items = items
    }

    /// The answer on the wire.
    public var json: JSON {
      ["items": .array(items.map(\.json))]
    }
  }
}
