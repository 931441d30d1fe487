/// Numbers for human readers.
enum Quantity {
  /// Nanoseconds with a unit and three significant digits.
  static func time(_ nanoseconds: Double) -> String {
    switch nanoseconds.magnitude {
    case ..<1_000: "\(digits(nanoseconds)) ns"
    case ..<1_000_000: "\(digits(nanoseconds / 1_000)) µs"
    case ..<10_000_000_000: "\(digits(nanoseconds / 1_000_000)) ms"
    default: "\(digits(nanoseconds / 1_000_000_000)) s"
    }
  }

  /// Bytes in KiB or MiB.
  static func bytes(_ count: Double) -> String {
    count < 1_048_576 ? "\(digits(count / 1_024)) KiB" : "\(digits(count / 1_048_576)) MiB"
  }

  /// The excess of a ratio over one, in percent.
  static func excess(of ratio: Double) -> String {
    "\(digits((ratio - 1) * 100)) %"
  }

  /// A number with three significant digits: 1.23, 12.3, 123, 1,234.
  static func digits(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    let places = value.magnitude < 9.995 ? 2 : value.magnitude < 99.95 ? 1 : 0
    let scale = places == 2 ? 100.0 : places == 1 ? 10.0 : 1.0
    let scaled = (value.magnitude * scale).rounded()
    guard scaled < 1e15 else { return "?" }
    let whole = Int(scaled / scale)
    let rest = Int(scaled) - whole * Int(scale)
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard places > 0 else { return sign + grouped(whole) }
    let fraction = String(rest)
    return "\(sign)\(whole)." + String(repeating: "0", count: places - fraction.count) + fraction
  }
}

/// An integer with thousands separators.
func grouped(_ value: Int) -> String {
  var text = ""
  for (index, digit) in String(value).reversed().enumerated() {
    if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
    text.append(digit)
  }
  return String(text.reversed())
}
