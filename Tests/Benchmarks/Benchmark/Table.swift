/// The results as Markdown tables with aligned columns.
struct Table {
  /// The text of all tables and notes.
  static func text(of results: Results) -> String {
    let floors = [["cards", "floor", "median", "10 % – 90 %", "rounds"]] + results.floors.map(row)
    let parts = [
      aligned([heading] + results.measurements.map(row)), aligned(floors),
      aligned([latencyHeading] + results.latencies.map(row)),
      results.notes.map { "- \($0)\n" }.joined(),
    ]
    return parts.joined(separator: "\n")
  }

  private static let heading = [
    "target met", "× floor", "× faster than KeePassXC", "× faster than pass", "× faster than ImageMagick",
    "cards", "work", "median",
    "10 % – 90 %", "rounds", "floor", "target",
  ]

  private static let latencyHeading = [
    "target met", "worst lock latency by method", "a lock waits", "the request alone", "target",
  ]

  private static func row(_ latency: LockLatency) -> [String] {
    let ratio = Double(latency.worst) / LockLatency.target
    return [
      ratio <= 1 ? "yes, \(Quantity.digits(ratio))" : "NO, missed by \(Quantity.excess(of: ratio))",
      "`\(latency.method)`", Quantity.time(Double(latency.worst)), Quantity.time(Double(latency.alone)),
      Quantity.time(LockLatency.target),
    ]
  }

  private static func row(_ measurement: Measurement) -> [String] {
    let quantity = measurement.work.quantity
    let summary = measurement.summary
    return [
      verdict(measurement), measurement.timesFloor.map(Quantity.digits) ?? "",
      measurement.advantage(over: .keePassXC).map(Quantity.digits) ?? "",
      measurement.advantage(over: .pass).map(Quantity.digits) ?? "",
      measurement.advantage(over: .imageMagick).map(Quantity.digits) ?? "",
      grouped(measurement.cards), measurement.work.title, quantity(summary.median),
      summary.count > 1 ? "\(quantity(summary.tenth)) – \(quantity(summary.ninetieth))" : "",
      grouped(summary.count), measurement.floor.map { quantity($0.summary.median) } ?? "",
      measurement.target,
    ]
  }

  private static func row(_ floor: (kind: Floor, cards: Int, summary: Summary)) -> [String] {
    [
      grouped(floor.cards), floor.kind.title, Quantity.time(floor.summary.median),
      "\(Quantity.time(floor.summary.tenth)) – \(Quantity.time(floor.summary.ninetieth))",
      grouped(floor.summary.count),
    ]
  }

  /// Whether the target is met, with the median as a share of it.
  static func verdict(_ measurement: Measurement) -> String {
    guard let ratio = measurement.timesTarget else { return "" }
    return ratio <= 1 ? "yes, \(Quantity.digits(ratio))" : "NO, missed by \(Quantity.excess(of: ratio))"
  }

  /// Rows as a table without padding, the first being its heading.
  static func compact(_ rows: [[String]]) -> String {
    let rule = rows.first.map { [$0.map { _ in "---" }] } ?? []
    return (rows.prefix(1) + rule + rows.dropFirst()).map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }

  /// Rows as a table whose columns are aligned, the first being its heading.
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
