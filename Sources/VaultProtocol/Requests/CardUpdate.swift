public import Identifiers
public import JSONRPC
public import VaultModel

/// `card/update`: changes what is given of a card and keeps the rest (R1).
public struct CardUpdate: RequestType {
  /// The method's name.
  public static let method = "card/update"
  /// What it gives.
  public typealias Answer = SavedCardAnswer

  /// The card's id.
  public var id: Identifier
  /// The revision that the client has seen; nil to change whatever is there.
  public var revision: Int?
  /// What is to change. Fields are merged, and one that is null is removed; extra fields and tags are replaced.
  public var change: CardChange

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
    revision = try parameters.integer("revision", in: 1...Int.max)
    let fields: FieldValues? = try parameters.optional("fields")
    change = CardChange(
      title: try parameters.optional("title"), group: try parameters.optional("group"),
      tags: try parameters.optional("tags"), fields: fields?.values ?? [:],
      extraFields: try parameters.optional("extraFields"), pinned: try parameters.optional("pinned"))
  }
}
