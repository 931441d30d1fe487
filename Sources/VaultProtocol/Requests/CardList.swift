public import JSON
public import JSONRPC
public import VaultModel

/// `card/list`: a page of cards, pinned ones first and then the most recently modified (R15, R16).
public struct CardList: RequestType {
  /// The method's name.
  public static let method = "card/list"

  /// Which cards are wanted.
  public var filter: CardFilter
  /// Which page.
  public var page: PageParameters

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    filter = CardFilter(
      group: try parameters.optional("group"), tag: try parameters.optional("tag"),
      type: try parameters.optional("type"))
    page = try PageParameters(&parameters)
  }

  /// A page of cards.
  public struct Answer: JSONConvertible {
    /// The cards.
    public var items: [Card]
    /// How many cards there are on all pages.
    public var total: Int
    /// Where the next page begins; nil after the last.
    public var nextCursor: String?

    /// An answer of the given parts.
    public init(items: [Card], total: Int, nextCursor: String?) {
      self.items = items
      self.total = total
      self.nextCursor = nextCursor
    }

    /// The answer on the wire.
    public var json: JSON {
      PageParameters.json(items: items.map(\.summary), total: total, nextCursor: nextCursor)
    }
  }
}
