import Synchronization

/// The range of card numbers that two threads scan, each from one end, until they meet.
///
/// Each takes a quarter of what is left, so that neither waits long for the other at the end. The parts are adjacent, so that
/// hardly a page of the file is read by both.
final class SharedRange: Sendable {
  /// The end that a thread takes from.
  enum End {
    case low, high
  }

  /// The number of cards below which a part is not divided.
  private static let minimumShare: UInt64 = 16

  /// The remaining range, counted from the least number; nil if it is empty.
  private let rest: Mutex<ClosedRange<UInt64>?> = Mutex(0 ... .max)
  private let minimumWidth: UInt64
  private let abandoned = Atomic(false)

  /// Whether one of the threads has given up.
  var isAbandoned: Bool { abandoned.load(ordering: .relaxed) }

  /// - Parameter cards: how many cards there are.
  init(cards: UInt64) {
    minimumWidth = .max / max(cards / Self.minimumShare, 1)
  }

  /// Makes the other thread stop at its next checkpoint.
  func abandon() {
    abandoned.store(true, ordering: .relaxed)
  }

  /// Takes some of what is left at an end; nil when nothing is.
  func take(from end: End) -> ClosedRange<Int64>? {
    rest.withLock { rest in
      guard let (low, high) = rest.map({ ($0.lowerBound, $0.upperBound) }) else { return nil }
      let width = max((high - low) / 4, minimumWidth)
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
