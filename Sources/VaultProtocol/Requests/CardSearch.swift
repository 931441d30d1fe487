package import JSON
package import VaultModel

/// `card/search`: a page of the cards that match a query (R7).
package struct CardSearch: VaultRequest {
  package static let method = "card/search"
  package typealias Response = Page<Item>

  package var query: String
  package var page: PageParameters

  package static let coder = ObjectCoder(Self.init, .required("query", \.query), .members(\.page))

  package struct Match: ResultObject, Hashable {
    package var field: String
    package var label: String
    package var snippet: String
    /// Start and length of each match in the snippet, in code points.
    package var ranges: [[Int]]

    package static let coder = ObjectCoder(
      Self.init, .required("field", \.field), .required("label", \.label), .required("snippet", \.snippet),
      .required("ranges", \.ranges))
  }

  package struct Item: ResultObject, Hashable {
    package var card: CardJSON
    package var matches: [Match]

    package static let coder = ObjectCoder(
      Self.init, .required("card", \.card), .required("matches", \.matches))
  }
}

extension CardSearch.Item {
  /// - Parameter language: the language of the labels.
  package init(_ hit: SearchHit, in language: Language) {
    self.init(
      card: CardJSON(summaryOf: hit.card),
      matches: hit.matches.map {
        CardSearch.Match(
          field: $0.field, label: $0.label[language], snippet: $0.snippet,
          ranges: $0.ranges.map { [$0.start, $0.length] })
      })
  }
}
