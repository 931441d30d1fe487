/// Repeated measurements of one work.
struct Samples {
  private(set) var values: [Int64] = []

  mutating func add(_ value: Int64) {
    values.append(value)
  }

  /// The summary; nil without measurements.
  var summary: Summary? {
    let sorted = values.sorted()
    guard let least = sorted.first else { return nil }
    return Summary(
      count: sorted.count, least: Double(least), tenth: Self.quantile(0.1, of: sorted),
      median: Self.quantile(0.5, of: sorted), ninetieth: Self.quantile(0.9, of: sorted))
  }

  /// The quantile of the sorted values for this share, with linear interpolation
  /// (definition 7 of Hyndman and Fan, The American Statistician 50, 1996).
  private static func quantile(_ share: Double, of sorted: [Int64]) -> Double {
    let position = share * Double(sorted.count - 1)
    let below = Int(position)
    let above = min(below + 1, sorted.count - 1)
    let part = position - Double(below)
    return Double(sorted[below]) * (1 - part) + Double(sorted[above]) * part
  }
}

/// The median and the spread of measurements, in nanoseconds or bytes.
struct Summary: Equatable {
  var count: Int
  var least: Double
  var tenth: Double
  var median: Double
  var ninetieth: Double

  /// A summary of one measurement.
  init(once value: Int64) {
    self.init(
      count: 1, least: Double(value), tenth: Double(value), median: Double(value), ninetieth: Double(value))
  }

  init(count: Int, least: Double, tenth: Double, median: Double, ninetieth: Double) {
    self.count = count
    self.least = least
    self.tenth = tenth
    self.median = median
    self.ninetieth = ninetieth
  }
}

/// The number of rounds.
struct Effort {
  /// The minimum number of rounds.
  var leastRounds: Int
  /// The maximum number of rounds.
  var mostRounds: Int
  /// The time in nanoseconds after which no new round starts, once there were ``leastRounds``.
  var budget: Int64

  static let full = Effort(leastRounds: 11, mostRounds: 2_000, budget: 3_000_000_000)
  static let quick = Effort(leastRounds: 7, mostRounds: 400, budget: 500_000_000)
  /// For other programs, which take long for each round.
  static let slow = Effort(leastRounds: 3, mostRounds: 20, budget: 3_000_000_000)

  /// Measures several works in turn, so that disturbances affect all of them.
  ///
  /// The first tenth of the rounds, at least one, is a warm-up and does not count.
  ///
  /// - Parameter round: measures each work once.
  /// - Returns: a summary for each work, in the order of the round's values.
  func measure(_ round: () throws -> [Int64]) throws -> [Summary] {
    try warmUp(round)
    var samples: [Samples] = []
    let start = now()
    var rounds = 0
    while rounds < leastRounds || rounds < mostRounds && now() - start < budget {
      for (index, value) in try round().enumerated() {
        if index == samples.count { samples.append(Samples()) }
        samples[index].add(value)
      }
      rounds += 1
    }
    return samples.compactMap(\.summary)
  }

  private func warmUp(_ round: () throws -> [Int64]) throws {
    let start = now()
    _ = try round()
    let first = max(now() - start, 1)
    let expected = min(max(Int(budget / first), leastRounds), mostRounds)
    for _ in 0..<(expected / 10) { _ = try round() }
  }
}
