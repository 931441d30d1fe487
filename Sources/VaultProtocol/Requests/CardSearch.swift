public import JSON
public import JSONRPC
public import VaultModel

/// `card/search`: a page of the cards that a query finds, with what it found in each (R7).
public struct CardSearch: RequestType {
  /// The method's name.
  public static let method = "card/search"

  /// The query, in the search language.
  public var query: String
  /// Which page.
  public var page: PageParameters

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    query = try parameters.required("query")
    page = try PageParameters(&parameters)
  }

  /// A card and what the query found in it.
  public struct Hit: Sendable {
    /// The card.
    public var card: Card
    /// The places that matched.
    public var matches: [FieldMatch]

    /// A hit of the given parts.
    public init(card: Card, matches: [FieldMatch]) {
      self.card = card
      self.matches = matches
    }
  }

  /// A page of hits.
  public struct Answer: JSONConvertible {
    /// The hits.
    public var items: [Hit]
    /// How many hits there are on all pages.
    public var total: Int
    /// Where the next page begins; nil after the last.
    public var nextCursor: String?
    /// The language of the labels.
    public var language: Language

    /// An answer of the given parts.
    public init(items: [Hit], total: Int, nextCursor: String?, language: Language) {
      self.items = items
      self.total = total
      self.nextCursor = nextCursor
      self.language = language
    }

    /// The answer on the wire.
    public var json: JSON {
      let items = items.map { hit -> JSON in
        ["card": hit.card.summary, "matches": .array(hit.matches.map { $0.json(in: language) })]
      }
      return PageParameters.json(items: items, total: total, nextCursor: nextCursor)
    }
  }
}

extension FieldMatch {
  fileprivate func json(in language: Language) -> JSON {
    [
      "field": .string(field),
      "label": .string(label[language]),
      "snippet": .string(snippet),
      "ranges": .array(ranges.map { [.integer($0.start), .integer($0.length)] }),
    ]
  }
}
