package import Wire

/// `template/list`: the types of cards with their fields, labelled in both languages. Works locked.
package struct TemplateList: ParameterlessRequest {
  package static let method = "template/list"

  package init() {}

  package struct Response: ResultObject, Hashable {
    package var templates: [CardTemplate]

    package init(templates: [CardTemplate]) { self.templates = templates }

    package static let coder = ObjectCoder(Self.init, .required("templates", \.templates))
  }
}

/// `tag/list`: every tag in use, the most used first.
package struct TagList: ParameterlessRequest {
  package static let method = "tag/list"

  package init() {}

  package struct Response: ResultObject, Hashable {
    /// The most that are listed.
    package static let limit = 5_000

    package var tags: [TagCount]
    /// The number of tags that are not listed; nil for none.
    package var leftOut: Int?

    package init(tags: [TagCount], leftOut: Int? = nil) { (self.tags, self.leftOut) = (tags, leftOut) }

    package static let coder = ObjectCoder(
      Self.init(tags:leftOut:), .required("tags", \.tags), .optional("tagsLeftOut", \.leftOut))
  }
}

/// `card/list`: a page of cards, sorted, or pinned ones first, then the most recently modified (R15, R16).
package struct CardList: VaultRequest {
  package static let method = "card/list"
  package typealias Response = Page<CardJSON>

  package var filter: CardFilter
  /// The column to sort by; nil for the usual order.
  package var sort: CardSort.Column?
  /// Whether the order of a sorted list is reversed.
  package var descending: Bool
  package var page: PageParameters

  package init(
    filter: CardFilter = CardFilter(), sort: CardSort.Column? = nil, descending: Bool = false,
    page: PageParameters
  ) {
    (self.filter, self.sort, self.descending, self.page) = (filter, sort, descending, page)
  }

  package static let coder = ObjectCoder(
    Self.init, .members(\.filter), .optional("sort", \.sort),
    .member("descending", \.descending, default: false), .members(\.page))
}

/// `card/resolve`: the card that a person names.
package struct CardResolve: VaultRequest {
  package static let method = "card/resolve"

  package var name: String
  /// Whether a part of an id or title, or a search, will do.
  package var guesses: Bool
  /// The key or label of a field of the card; nil for none.
  package var field: String?

  package init(name: String, guesses: Bool, field: String? = nil) {
    (self.name, self.guesses, self.field) = (name, guesses, field)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("name", \.name), .member("guess", \.guesses, default: false),
    .optional("field", \.field))

  package struct Response: ResultObject, Hashable {
    package var card: CardJSON
    /// Whether the name is the card's id or whole title.
    package var isExact: Bool
    package var field: Field?

    package init(card: CardJSON, isExact: Bool, field: Field?) {
      (self.card, self.isExact, self.field) = (card, isExact, field)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("card", \.card), .required("exact", \.isExact), .optional("field", \.field))
  }

  /// A field of the card, without its value.
  package struct Field: ResultObject, Hashable {
    /// What other methods take for it.
    package var name: String
    package var label: String
    package var isConcealed: Bool

    package init(name: String, label: String, isConcealed: Bool) {
      (self.name, self.label, self.isConcealed) = (name, label, isConcealed)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("name", \.name), .required("label", \.label),
      .required("concealed", \.isConcealed))
  }
}

/// `card/search`: a page of the cards that match a query (R7).
package struct CardSearch: VaultRequest {
  package static let method = "card/search"
  package typealias Response = Page<Item>

  package var query: String
  package var page: PageParameters

  package init(query: String, page: PageParameters) { (self.query, self.page) = (query, page) }

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
