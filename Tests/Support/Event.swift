import Foundation

/// What a test waited for did not happen in time.
package struct DeadlinePassed: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) {
    self.description = description
  }
}

/// The time to wait for an event that is sure to happen, in seconds: long enough for a busy machine, and no measure of speed.
package let eventTimeout: Double = 240

/// Runs blocking code on a new thread, so that tests do not use up the threads of the Swift runtime.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// Something that happens once.
package final class Event<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let name: String
  private var outcome: Value?

  package init(_ name: String) {
    self.name = name
  }

  package var hasHappened: Bool { condition.withLock { outcome != nil } }

  /// Sets the value; a second call changes nothing.
  package func happen(_ value: Value) {
    condition.withLock {
      if outcome == nil { outcome = value }
      condition.broadcast()
    }
  }

  /// Waits for the value.
  package func value() async throws -> Value {
    try await blocking { [self] in
      let limit = Date(timeIntervalSinceNow: eventTimeout)
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
  package func happen() { happen(()) }
}
