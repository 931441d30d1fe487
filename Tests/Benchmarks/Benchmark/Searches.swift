import TestSamples

/// The queries of the benchmark.
struct Searches {
  /// A query with its expected number of hits.
  struct Query {
    var text: String
    var hits: Int
  }

  let nothing: Query
  let one: Query
  let many: Query
  let chinese: Query
  let qualifier: Query

  /// The queries for a vault with this number of cards; the hits are counted here and not by the program.
  init(cards count: Int) {
    let cards = (0..<count).map(SampleCard.init)
    let account = cards[(count / 2)...].lazy.compactMap { card in
      card.fields.first { $0.key == "bankAccount" }?.value
    }.first
    nothing = Self.counting("zqxjkv", in: cards)
    one = Self.counting(account ?? "", in: cards)
    many = Self.counting("harbor", in: cards)
    chinese = Self.counting("建设银行", in: cards)
    let invoices = cards.filter { $0.type == "invoice" && $0.tags.contains("税务") }
    qualifier = Query(text: "type:invoice tag:税务", hits: invoices.count)
  }

  private static func counting(_ text: String, in cards: [SampleCard]) -> Query {
    Query(text: text, hits: cards.filter { $0.mentions(text) }.count)
  }
}
