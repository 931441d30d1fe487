/// Replaces values in a stream of bytes that arrives in pieces, and also each line of a value. What may be the beginning of a value
/// is kept back until more bytes arrive.
struct OutputMask {
  /// Shorter values and lines would be in any text, and are not replaced.
  private static let minimumLength = 4
  private static let mask = Array("••••".utf8)

  /// By their first byte, the longest first.
  private var values = [[[UInt8]]](repeating: [], count: 256)
  private var kept: [UInt8] = []

  init(_ texts: [String]) {
    // A terminal has two characters for the end of a line.
    let all = texts.flatMap { [$0, $0.lines.joined(separator: "\r\n")] + $0.lines.map(\.trimmed) }
    for value in Set(all) where value.count >= Self.minimumLength {
      let bytes = Array(value.utf8)
      values[Int(bytes[0])].append(bytes)
    }
    for byte in values.indices { values[byte].sort { $0.count > $1.count } }
  }

  /// Returns what can be shown after further bytes.
  ///
  /// - Parameter isEnd: whether no others follow.
  mutating func shown(_ bytes: [UInt8], isEnd: Bool) -> [UInt8] {
    let all = kept + bytes
    var (shown, position) = ([UInt8](), 0)
    kept = []
    shown.reserveCapacity(all.count)
    while position < all.count {
      let rest = all[position...]
      // The longest value that is there, or may be once more bytes arrive.
      let match = values[Int(all[position])].first {
        rest.starts(with: $0) || !isEnd && rest.count < $0.count && $0.starts(with: rest)
      }
      if let match, match.count > rest.count {
        kept = Array(rest)
        return shown
      }
      if match != nil { shown += Self.mask } else { shown.append(all[position]) }
      position += match?.count ?? 1
    }
    return shown
  }
}
