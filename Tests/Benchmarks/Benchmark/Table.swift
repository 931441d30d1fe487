/// The results as tables in Markdown that are aligned for reading as they are.
struct Table {
  /// The text of all tables and notes.
  static func text(of results: Results) -> String {
    let floors = [["cards", "floor", "median", "10 % – 90 %", "rounds"]] + results.floors.map(row)
    let parts = [
      aligned([heading] + results.measurements.map(row)), aligned(floors),
      results.notes.map { "- \($0)\n" }.joined(),
    ]
    return parts.joined(separator: "\n")
  }

  private static let heading = [
    "figure", "× floor", "× faster than KeePassXC", "× faster than pass", "× faster than ImageMagick",
    "cards", "what", "median",
    "10 % – 90 %", "rounds", "the floor", "the figure",
  ]

  private static func row(_ measurement: Measurement) -> [String] {
    let quantity = measurement.work.isMemory ? Quantity.bytes : Quantity.time
    let summary = measurement.summary
    return [
      verdict(measurement), measurement.timesFloor.map(Quantity.digits) ?? "",
      measurement.advantage(over: .keePassXC).map(Quantity.digits) ?? "",
      measurement.advantage(over: .pass).map(Quantity.digits) ?? "",
      measurement.advantage(over: .imageMagick).map(Quantity.digits) ?? "",
      grouped(measurement.cards), measurement.work.title, quantity(summary.median),
      summary.count > 1 ? "\(quantity(summary.tenth)) – \(quantity(summary.ninetieth))" : "",
      grouped(summary.count), measurement.floor.map { quantity($0.summary.median) } ?? "",
      figure(measurement, quantity),
    ]
  }

  private static func row(_ floor: (kind: Floor, cards: Int, summary: Summary)) -> [String] {
    [
      grouped(floor.cards), floor.kind.title, Quantity.time(floor.summary.median),
      "\(Quantity.time(floor.summary.tenth)) – \(Quantity.time(floor.summary.ninetieth))",
      grouped(floor.summary.count),
    ]
  }

  /// Whether the figure is met, and the median in parts of what it allows.
  static func verdict(_ measurement: Measurement) -> String {
    guard let ratio = measurement.timesFigure else { return "" }
    return ratio <= 1 ? "met \(Quantity.digits(ratio))" : "NOT met, by \(Quantity.excess(of: ratio))"
  }

  private static func figure(_ measurement: Measurement, _ quantity: (Double) -> String) -> String {
    switch measurement.work.figure(cards: measurement.cards) {
    case .atMost(let value): quantity(value)
    case .timesFloor(let times): "\(Quantity.digits(times)) × floor"
    case nil: ""
    }
  }

  /// Rows as a table, the first being its heading.
  static func aligned(_ rows: [[String]]) -> String {
    guard let heading = rows.first else { return "" }
    let widths = heading.indices.map { column in
      rows.map { $0[column].unicodeScalars.count }.max() ?? 0
    }
    func line(_ cells: [String]) -> String {
      let padded = zip(cells, widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.unicodeScalars.count)
      }
      return "| " + padded.joined(separator: " | ") + " |\n"
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return line(heading) + line(rule) + rows.dropFirst().map(line).joined()
  }
}
