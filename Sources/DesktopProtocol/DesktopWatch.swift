package import JSON
package import JSONRPC

/// `desktop/watch`.
package struct DesktopWatch: RequestType, OutgoingRequest {
  package static let method = "desktop/watch"

  package let lock: Bool
  package let sleep: Bool

  package init(lock: Bool, sleep: Bool) {
    (self.lock, self.sleep) = (lock, sleep)
  }

  package init(_ parameters: inout Parameters) throws(ParameterError) {
    lock = try parameters.optional("lock") ?? false
    sleep = try parameters.optional("sleep") ?? false
  }

  package var parameters: JSON? { ["lock": .bool(lock), "sleep": .bool(sleep)] }

  package struct Answer: JSONConvertible, ParameterValue, Hashable {
    package let lock: Part
    package let sleep: Part

    package init(lock: Part, sleep: Part) {
      (self.lock, self.sleep) = (lock, sleep)
    }

    /// Whether the session is known to be locked.
    package var isSessionLocked: Bool { lock == .watching(isLocked: true) }

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      var members = try Parameters(value, at: path)
      return Answer(lock: try members.required("lock"), sleep: try members.required("sleep"))
    }

    package var json: JSON { ["lock": lock.json, "sleep": sleep.json] }
  }

  package enum Part: JSONConvertible, ParameterValue, Hashable {
    case notRequested
    /// `isLocked` is nil for sleep.
    case watching(isLocked: Bool?)
    case unavailable(Availability)

    package var isWatching: Bool { if case .watching = self { true } else { false } }

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Part {
      var members = try Parameters(value, at: path)
      if try members.required("watching") { return .watching(isLocked: try members.optional("locked")) }
      return value["state"] == nil ? .notRequested : .unavailable(try Availability(&members))
    }

    package var json: JSON {
      let watching = JSON.Member("watching", .bool(isWatching))
      return switch self {
      case .notRequested: .object([watching])
      case .watching(let isLocked):
        .object([watching] + (isLocked.map { [.init("locked", .bool($0))] } ?? []))
      case .unavailable(let availability): .object(availability.members + [watching])
      }
    }
  }
}

/// `desktop/allowSleep`.
package struct DesktopAllowSleep: RequestType {
  package typealias Answer = Nothing
  package static let method = "desktop/allowSleep"

  package init(_ parameters: inout Parameters) {}
}

/// `desktop/didLock`: the desktop session was locked.
package struct DesktopDidLock: OutgoingNotification {
  package static let method = "desktop/didLock"
  package let json: JSON = [:]

  package init() {}
}

/// `desktop/willSleep`: the machine is about to sleep.
package struct DesktopWillSleep: OutgoingNotification {
  package static let method = "desktop/willSleep"
  package let json: JSON = [:]

  package init() {}
}

/// `desktop/didWake`: the machine woke up.
package struct DesktopDidWake: OutgoingNotification {
  package static let method = "desktop/didWake"
  package let json: JSON = [:]

  package init() {}
}

/// `desktop/didStopWatching`: lock or sleep can no longer be watched.
package struct DesktopDidStopWatching: OutgoingNotification {
  package static let method = "desktop/didStopWatching"

  let lock: Bool
  let sleep: Bool

  package init(lock: Bool, sleep: Bool) {
    (self.lock, self.sleep) = (lock, sleep)
  }

  package var json: JSON { ["lock": .bool(lock), "sleep": .bool(sleep)] }
}
