import Glibc

/// The decimal logarithm.
func logarithm(_ value: Double) -> Double {
  log10(value)
}

/// A power of ten.
func power(_ exponent: Int) -> Double {
  pow(10, Double(exponent))
}

extension Plot {
  /// Plots each work, with KeePassXC for comparison.
  init(_ results: Results) {
    let shown: [(work: Work, name: String, colour: String)] = [
      (.searchNothing, "search, no hit", "#1f77b4"), (.unlock, "unlock beyond derivation", "#d62728"),
      (.create, "create, durable", "#2ca02c"), (.lock, "lock to ready", "#9467bd"),
      (.start, "start", "#8c564b"), (.firstPage, "first page", "#ff7f0e"), (.get, "get", "#17a2b8"),
      (.roundTrip, "small request", "#555555"),
    ]
    let own = shown.map { shown in
      Series(
        name: shown.name, colour: shown.colour,
        points: results.measurements.filter { $0.work == shown.work && $0.summary.median > 0 }
          .map { (Double($0.cards), $0.summary.median) })
    }
    let theirs = shown.map { shown in
      Series(
        name: "KeePassXC: \(shown.name)", colour: shown.colour, isDashed: true,
        points: results.measurements.filter { $0.work == shown.work }.compactMap { measurement in
          measurement.others[.keePassXC].map { (Double(measurement.cards), $0.median) }
        }.filter { $0.1 > 0 })
    }
    self.init(own + theirs)
  }
}
