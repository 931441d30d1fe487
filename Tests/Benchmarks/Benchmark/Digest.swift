/// What a reader of the project's first page is told of the results: a table and the machine, in Markdown.
struct Digest {
  /// In which language it is told.
  enum Language: CaseIterable {
    case english, chinese
  }

  /// What is told of, in this order.
  static let works: [Work] = [
    .unlock, .searchNothing, .firstPage, .get, .create, .lock, .start, .roundTrip, .importing, .attachPath,
    .exportPath, .marking, .thumbnail, .memoryUnlocked, .memorySearched,
    .memoryImported, .memoryAttached,
  ]

  let results: Results
  let sizes: [Int]
  let machine: [(name: String, value: String)]

  /// The text, which ends with a line break.
  func text(in language: Language) -> String {
    let words = Words(language)
    let others = Other.allCases.filter { other in shown.contains { !medians(of: other, $0).isEmpty } }
    let heading =
      [""] + sizes.enumerated().map { grouped($1) + ($0 == 0 ? words.cards : "") }
      + [words.floor, words.figure] + others.map(\.rawValue)
    let rows = shown.map { work in
      [words.title(of: work)] + sizes.map { cell(work, $0) } + [floor(work, words), verdict(work, words)]
        + others.map { other in
          medians(of: other, work).map { Self.quantity($0, of: work) }.joined(separator: ", ")
        }
    }
    let lines = ([heading, heading.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |\n" }
    return "\(words.introduction(machine))\n\n\(lines.joined())"
  }

  private var shown: [Work] {
    Self.works.filter { work in results.measurements.contains { $0.work == work } }
  }

  private func measured(_ work: Work) -> [Measurement] {
    sizes.compactMap { size in results.measurements.first { $0.work == work && $0.cards == size } }
  }

  private func cell(_ work: Work, _ size: Int) -> String {
    measured(work).first { $0.cards == size }.map { Self.quantity($0.summary.median, of: work) } ?? ""
  }

  private func floor(_ work: Work, _ words: Words) -> String {
    let measured = measured(work)
    guard let kind = measured.first?.floor?.kind else { return "" }
    let medians = measured.compactMap { $0.floor?.summary.median }.map { Self.quantity($0, of: work) }
    return "\(words.title(of: kind)): " + medians.joined(separator: ", ")
  }

  /// Whether the figures of the design are met, and which is not by how much.
  private func verdict(_ work: Work, _ words: Words) -> String {
    let measured = measured(work).filter { $0.timesFigure != nil }
    guard !measured.isEmpty else { return "" }
    var figures: [String] = []
    for measurement in measured {
      let figure = Self.figure(measurement, words)
      if figures.last != figure { figures.append(figure) }
    }
    let missed = measured.compactMap { measurement in
      measurement.timesFigure.flatMap { $0 > 1 ? words.missed(by: $0, at: measurement.cards) : nil }
    }
    return figures.joined(separator: ", ") + (missed.isEmpty ? words.met : missed.joined())
  }

  private static func figure(_ measurement: Measurement, _ words: Words) -> String {
    switch measurement.work.figure(cards: measurement.cards) {
    case .atMost(let value): quantity(value, of: measurement.work)
    case .timesFloor(let times): "\(Quantity.digits(times)) × \(words.floor)"
    case nil: ""
    }
  }

  private func medians(of other: Other, _ work: Work) -> [Double] {
    measured(work).compactMap { $0.others[other]?.median }
  }

  private static func quantity(_ value: Double, of work: Work) -> String {
    work.isMemory ? Quantity.bytes(value) : Quantity.time(value)
  }
}

// MARK: On a page

extension Digest {
  static let beginning = "<!-- costs: written by `make bench-record` -->\n"
  static let end = "<!-- end of costs -->\n"

  /// A page with another text between the two marks.
  ///
  /// - Throws: ``BenchmarkError/wrong(_:)`` where the page has them not, each once and in this order.
  static func replace(in page: String, with text: String) throws -> String {
    let parts = page.split(separator: beginning, omittingEmptySubsequences: false)
    let rest = parts.last?.split(separator: end, omittingEmptySubsequences: false) ?? []
    guard parts.count == 2, rest.count == 2 else { throw BenchmarkError.wrong("a page without its marks") }
    return "\(parts[0])\(beginning)\(text)\(end)\(rest[1])"
  }
}
