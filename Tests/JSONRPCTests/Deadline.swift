import Foundation

/// What a test waited for did not come.
struct DeadlinePassed: Error, CustomStringConvertible {
  let description: String
}

/// How long a test waits for an event that is sure to come: long enough for a busy machine, and no measure of speed.
let deadline: TimeInterval = 240

/// Runs what may block on a thread of its own, so that the tests at hand do not use up the runtime's.
func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// Something that comes once.
final class Event<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let name: String
  private var outcome: Value?

  init(_ name: String) {
    self.name = name
  }

  /// Whether it has come.
  var hasCome: Bool { condition.withLock { outcome != nil } }

  /// It comes; a second time changes nothing.
  func come(_ value: Value) {
    condition.withLock {
      if outcome == nil { outcome = value }
      condition.broadcast()
    }
  }

  /// Waits for it.
  func value() async throws -> Value {
    try await blocking { [self] in
      let limit = Date(timeIntervalSinceNow: deadline)
      return try condition.withLock {
        while true {
          if let outcome { return outcome }
          guard condition.wait(until: limit) else { throw DeadlinePassed(description: "no \(name)") }
        }
      }
    }
  }
}

extension Event where Value == Void {
  func come() { come(()) }
}
