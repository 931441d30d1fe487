/// A plot of time against the number of cards as SVG, with logarithmic scales: time proportional to the cards has the slope of
/// the grey guide.
struct Plot {
  /// One line of the plot.
  struct Series {
    var name: String
    var colour: String
    var isDashed = false
    /// The points, as cards and nanoseconds.
    var points: [(cards: Double, cost: Double)]
  }

  private static let (width, height) = (900.0, 620.0)
  private static let (left, right, top, bottom) = (90.0, 640.0, 60.0, 560.0)

  let series: [Series]
  private let decades: (x: ClosedRange<Int>, y: ClosedRange<Int>)

  /// Makes a plot of all series that have points.
  init(_ series: [Series]) {
    self.series = series.filter { !$0.points.isEmpty }
    let points = self.series.flatMap(\.points)
    decades = (Self.decades(points.map(\.cards)), Self.decades(points.map(\.cost)))
  }

  /// The SVG document.
  var svg: String {
    let parts =
      [
        "<rect width='100%' height='100%' fill='white'/>",
        text("What it costs, by the number of cards", 20, 30, size: 18),
      ] + grid + lines + labels
    return """
      <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 \(Int(Self.width)) \(Int(Self.height))' \
      font-family='sans-serif' fill='#222'>
      \(parts.joined(separator: "\n"))
      </svg>

      """
  }

  // MARK: Places

  private static func decades(_ values: [Double]) -> ClosedRange<Int> {
    let logarithms = values.filter { $0 > 0 }.map { logarithm($0) }
    let low = Int((logarithms.min() ?? 0).rounded(.down))
    return low...max(Int((logarithms.max() ?? 1).rounded(.up)), low + 1)
  }

  private func x(_ cards: Double) -> Double {
    Self.left + (Self.right - Self.left) * Self.share(cards, decades.x)
  }

  private func y(_ cost: Double) -> Double {
    Self.bottom - (Self.bottom - Self.top) * Self.share(cost, decades.y)
  }

  private static func share(_ value: Double, _ decades: ClosedRange<Int>) -> Double {
    (logarithm(max(value, 1e-9)) - Double(decades.lowerBound)) / Double(decades.count - 1)
  }

  // MARK: Parts

  private var grid: [String] {
    let across = decades.y.map { decade -> String in
      let cost = power(decade)
      return line(Self.left, y(cost), Self.right, y(cost), "#ddd")
        + text(Quantity.time(cost), Self.left - 8, y(cost) + 4, anchor: "end")
    }
    let up = decades.x.map { decade -> String in
      let cards = power(decade)
      return line(x(cards), Self.top, x(cards), Self.bottom, "#ddd")
        + text(grouped(Int(cards)), x(cards), Self.bottom + 20, anchor: "middle")
    }
    return across + up + [
      text("cards", (Self.left + Self.right) / 2, Self.bottom + 45, anchor: "middle"), guide,
    ]
  }

  /// A guide with the slope of linear growth.
  private var guide: String {
    let span = min(decades.x.count, decades.y.count) - 1
    let (low, high) = (power(decades.x.lowerBound), power(decades.x.lowerBound + span))
    let (cheap, dear) = (power(decades.y.lowerBound), power(decades.y.lowerBound + span))
    return line(x(low), y(cheap), x(high), y(dear), "#bbb", width: 4)
      + text("in proportion to the cards", x(high) - 6, y(dear) + 24, anchor: "end", colour: "#999")
  }

  private var lines: [String] {
    series.map { series in
      let path = series.points.map { "\(place(x($0.cards))),\(place(y($0.cost)))" }.joined(separator: " ")
      let dashes = series.isDashed ? " stroke-dasharray='6 4'" : ""
      let dots = series.points.map {
        "<circle cx='\(place(x($0.cards)))' cy='\(place(y($0.cost)))' r='3.5' fill='\(series.colour)'/>"
      }
      return "<polyline points='\(path)' fill='none' stroke='\(series.colour)' stroke-width='2'\(dashes)/>"
        + dots.joined()
    }
  }

  /// Names at the right ends of the lines, moved down if they would overlap.
  private var labels: [String] {
    let ends = series.compactMap { series in series.points.last.map { (series, y($0.cost), x($0.cards)) } }
      .sorted { $0.1 < $1.1 }
    var free = Self.top
    return ends.map { series, end, from in
      let height = max(end + 4, free)
      free = height + 16
      let leader = line(from + 6, end, Self.right + 14, height - 4, series.colour, width: 0.8, dashes: "1 4")
      return leader + text(series.name, Self.right + 18, height, colour: series.colour)
    }
  }

  private func line(
    _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ colour: String, width: Double = 1,
    dashes: String = "none"
  ) -> String {
    "<line x1='\(place(x1))' y1='\(place(y1))' x2='\(place(x2))' y2='\(place(y2))' "
      + "stroke='\(colour)' stroke-width='\(width)' stroke-dasharray='\(dashes)'/>"
  }

  private func text(
    _ words: String, _ x: Double, _ y: Double, anchor: String = "start", size: Int = 13,
    colour: String = "#222"
  ) -> String {
    let escaped = words.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
    return "<text x='\(place(x))' y='\(place(y))' text-anchor='\(anchor)' font-size='\(size)' "
      + "fill='\(colour)'>\(escaped)</text>"
  }

  /// A coordinate with one decimal.
  private func place(_ value: Double) -> Double {
    (value * 10).rounded() / 10
  }
}
