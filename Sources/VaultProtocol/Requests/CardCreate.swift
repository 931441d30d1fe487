public import JSONRPC
public import VaultModel

/// `card/create`: stores a new card (R1).
public struct CardCreate: RequestType {
  /// The method's name.
  public static let method = "card/create"
  /// What it gives.
  public typealias Answer = SavedCardAnswer

  /// The card as the client wants it.
  public var draft: CardDraft

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    let title: String = try parameters.required("title")
    let group: CardGroup = try parameters.required("group")
    let type: CardType = try parameters.required("type")
    let fields: FieldValues? = try parameters.optional("fields")
    draft = CardDraft(
      title: title, group: group, type: type, fields: (fields?.values ?? [:]).compactMapValues { $0 },
      extraFields: try parameters.optional("extraFields") ?? [], tags: try parameters.optional("tags") ?? [],
      pinned: try parameters.optional("pinned") ?? false)
  }
}
