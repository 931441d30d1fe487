package import Wire

/// `desktop/watch`.
package struct DesktopWatch: DesktopRequest {
  package static let method = "desktop/watch"

  package let lock: Bool
  package let sleep: Bool

  package init(lock: Bool, sleep: Bool) {
    (self.lock, self.sleep) = (lock, sleep)
  }

  package static let coder = ObjectCoder(
    Self.init, .always("lock", \.lock, default: false), .always("sleep", \.sleep, default: false))

  package struct Response: ResultObject, Hashable {
    package let lock: Part
    package let sleep: Part

    package init(lock: Part, sleep: Part) {
      (self.lock, self.sleep) = (lock, sleep)
    }

    /// Whether the session is known to be locked.
    package var isSessionLocked: Bool { lock == .watching(isLocked: true) }

    package static let coder = ObjectCoder(Self.init, .required("lock", \.lock), .required("sleep", \.sleep))
  }

  package enum Part: ResultObject, Hashable {
    case notRequested
    /// `isLocked` is nil for sleep.
    case watching(isLocked: Bool?)
    case unavailable(Availability)

    package static let coder = ObjectCoder<Self>(
      read: { members throws(ParameterError) in
        if try members.required("watching") { return .watching(isLocked: try members.optional("locked")) }
        guard let state: Availability.State = try members.optional("state") else { return .notRequested }
        return .unavailable(Availability(state, package: try members.optional("package")))
      },
      write: { part, members in
        switch part {
        case .notRequested: members.append(.init("watching", false))
        case .watching(let isLocked):
          members.append(.init("watching", true))
          if let isLocked { members.append(.init("locked", .bool(isLocked))) }
        case .unavailable(let availability):
          Availability.coder.write(availability, &members)
          members.append(.init("watching", false))
        }
      })
  }
}

extension DesktopWatch.Part {
  package var isWatching: Bool { if case .watching = self { true } else { false } }
}

/// `desktop/allowSleep`.
package struct DesktopAllowSleep: DesktopRequest {
  package typealias Response = NullResult
  package static let method = "desktop/allowSleep"
  package static let coder = ObjectCoder(Self.init)
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
