/// The main results with their floors, their targets and other programs: a row for each kind of work.
struct Overview {
  /// The rows of the table.
  static let works: [Work] = [
    .unlock, .searchNothing, .firstPage, .get, .create, .lock, .start, .roundTrip, .importing, .attachPath,
    .exportPath, .marking, .thumbnail, .showField, .listToPipe, .completeTitle, .keyStroke, .emacsUnlock,
    .emacsKey, .emacsAllRows, .vimUnlock, .vimKey, .vimAllRows, .neovimUnlock, .neovimKey, .neovimAllRows,
    .relayRoundTrip, .secondClient, .sharedLock, .publish, .publishedSize, .apply, .join,
    .memoryUnlocked, .memorySearched, .memoryImported, .memoryAttached,
  ]

  let results: Results
  let sizes: [Int]

  /// The table in Markdown, which ends with a line break.
  var text: String {
    let shown = Self.works.filter { work in results.measurements.contains { $0.work == work } }
    let others = Other.allCases.filter { other in shown.contains { !medians(of: other, $0).isEmpty } }
    let heading =
      [""] + sizes.enumerated().map { grouped($1) + ($0 == 0 ? " cards" : "") } + ["floor", "target"]
      + others.map(\.rawValue)
    let rows = shown.map { work in
      [work.title] + sizes.map { results[work, $0].map { work.quantity($0.summary.median) } ?? "" }
        + [floor(work), verdict(work)] + others.map { medians(of: $0, work).joined(separator: ", ") }
    }
    return Table.compact([heading] + rows)
  }

  private func measured(_ work: Work) -> [Measurement] {
    sizes.compactMap { results[work, $0] }
  }

  private func medians(of other: Other, _ work: Work) -> [String] {
    measured(work).compactMap { $0.others[other].map { work.quantity($0.median) } }
  }

  private func floor(_ work: Work) -> String {
    let floors = measured(work).compactMap(\.floor)
    guard let kind = floors.first?.kind else { return "" }
    return "\(kind.title): " + floors.map { work.quantity($0.summary.median) }.joined(separator: ", ")
  }

  /// The targets, and whether they are met or missed by how much.
  private func verdict(_ work: Work) -> String {
    let measured = measured(work).filter { $0.timesTarget != nil }
    guard !measured.isEmpty else { return "" }
    var targets: [String] = []
    for measurement in measured where targets.last != measurement.target {
      targets.append(measurement.target)
    }
    let missed = measured.compactMap { measurement in
      measurement.timesTarget.flatMap { ratio in
        ratio > 1 ? "; missed by \(Quantity.excess(of: ratio)) at \(grouped(measurement.cards))" : nil
      }
    }
    return targets.joined(separator: ", ") + (missed.isEmpty ? ": met" : missed.joined())
  }
}
