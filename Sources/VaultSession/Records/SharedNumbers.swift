import Synchronization

/// The numbers that a card can have, as far as nobody has taken them yet: two threads share a scan by taking from its two
/// ends until they meet.
///
/// Each takes a quarter of what is left, so that neither waits long for the other in the end, whichever was later or
/// slower; and side by side, so that hardly a page of the file is read by both.
final class SharedNumbers: Sendable {
  /// The end that a thread takes from.
  enum End {
    case low, high
  }

  /// How many cards are not worth dividing.
  private static let smallestShare: UInt64 = 16

  /// What is left, counted from the least number; nil for nothing.
  private let rest: Mutex<ClosedRange<UInt64>?> = Mutex(0 ... .max)
  private let smallestWidth: UInt64

  /// All numbers.
  ///
  /// - Parameter cards: how many cards they belong to.
  init(cards: UInt64) {
    smallestWidth = .max / max(cards / Self.smallestShare, 1)
  }

  /// Takes some of what is left at an end; nil when nothing is.
  func take(from end: End) -> ClosedRange<Int64>? {
    rest.withLock { rest in
      guard let (low, high) = rest.map({ ($0.lowerBound, $0.upperBound) }) else { return nil }
      let width = max((high - low) / 4, smallestWidth)
      guard high - low > width else {
        rest = nil
        return Self.number(low)...Self.number(high)
      }
      switch end {
      case .low:
        rest = low + width + 1...high
        return Self.number(low)...Self.number(low + width)
      case .high:
        rest = low...high - width - 1
        return Self.number(high - width)...Self.number(high)
      }
    }
  }

  private static func number(_ position: UInt64) -> Int64 {
    Int64(bitPattern: position ^ 1 << 63)
  }
}
