package import Wire

/// A request to `quickvault-desktop`.
package protocol DesktopRequest: RequestType, OutgoingRequest, JSONObject where Response: JSONCodable {}

extension DesktopRequest {
  package var parameters: JSON? { json }
}

extension MemberCoder where Value == Int {
  /// The time limit, in seconds.
  static func timeout(_ get: @escaping Getter<Int>, default seconds: Int) -> Self {
    .integer("timeoutSeconds", get, in: 1...300, default: seconds)
  }
}

/// `desktop/status`.
package struct DesktopStatus: DesktopRequest {
  package static let method = "desktop/status"
  package static let coder = ObjectCoder(Self.init)

  package init() {}

  package struct Response: ResultObject, Hashable {
    package let fingerprint: Part
    package let keychain: Part
    package let session: Part

    package init(fingerprint: Part, keychain: Part, session: Part) {
      (self.fingerprint, self.keychain, self.session) = (fingerprint, keychain, session)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("fingerprint", \.fingerprint), .required("keychain", \.keychain),
      .required("session", \.session))
  }

  /// One part of the desktop: its availability, and the details that apply to the part.
  package struct Part: ResultObject, Hashable {
    package let availability: Availability
    /// The fingerprint reader's name.
    package var reader: String?
    /// `press` or `swipe`.
    package var scanType: String?
    /// The names of the enrolled fingers.
    package var fingers: [String]?
    /// Identifies the user, the reader and the enrolled fingers.
    package var enrollment: String?
    /// logind's ID of the session.
    package var id: String?
    /// Whether the session is locked.
    package var isLocked: Bool?

    package static let coder = ObjectCoder(
      Self.init(availability:reader:scanType:fingers:enrollment:id:isLocked:), .members(\.availability),
      .optional("reader", \.reader), .optional("scanType", \.scanType), .optional("fingers", \.fingers),
      .optional("enrollment", \.enrollment), .optional("id", \.id), .optional("locked", \.isLocked))
  }
}

extension DesktopStatus.Part {
  package init(_ availability: Availability) {
    self.init(availability: availability)
  }

  package var state: Availability.State { availability.state }
}

/// Whether a part of the desktop can be used, and if not, what is missing.
package struct Availability: Error, JSONObject, Hashable {
  package enum State: String, CaseIterable, JSONCodable {
    case ready, busMissing, serviceMissing, noReader, permissionDenied, notEnrolled, locked, noCollection,
      none, failed
    /// `quickvault-desktop` itself is not installed; never sent.
    case programMissing
  }

  package let state: State
  /// The Debian package that provides what is missing.
  package let package: String?

  package init(_ state: State, package: String? = nil) {
    (self.state, self.package) = (state, package)
  }

  package static let coder = ObjectCoder(
    Self.init(_:package:), .required("state", \.state), .optional("package", \.package))
}

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

/// `fingerprint/verify`.
package struct FingerprintVerify: DesktopRequest {
  package static let method = "fingerprint/verify"

  package let attempts: Int
  package let timeoutSeconds: Int

  package init(attempts: Int, timeoutSeconds: Int) {
    (self.attempts, self.timeoutSeconds) = (attempts, timeoutSeconds)
  }

  package static let coder = ObjectCoder(
    Self.init, .integer("attempts", \.attempts, in: 1...10, default: 1),
    .timeout(\.timeoutSeconds, default: 30))

  package struct Response: ResultObject, Hashable {
    package enum Outcome: String, CaseIterable, JSONCodable {
      case matched, notMatched
    }

    package let outcome: Outcome
    /// The number of scans that were compared.
    package let attempts: Int
    /// Identifies the user, the reader and the enrolled fingers.
    package let enrollment: String

    package init(outcome: Outcome, attempts: Int, enrollment: String) {
      (self.outcome, self.attempts, self.enrollment) = (outcome, attempts, enrollment)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("outcome", \.outcome), .required("attempts", \.attempts),
      .required("enrollment", \.enrollment))
  }
}

/// `fingerprint/didChangeState`.
package struct FingerprintDidChangeState: OutgoingNotification, ResultObject, Hashable {
  package static let method = "fingerprint/didChangeState"

  package enum State: String, CaseIterable, JSONCodable {
    case scanning, retry, notMatched, matched
  }

  /// Why a scan could not be compared.
  package enum Reason: String, CaseIterable, JSONCodable {
    case tryAgain, swipeTooShort, fingerNotCentered, removeAndRetry, tooFast
  }

  package let state: State
  /// The number of the attempt, from 1.
  package let attempt: Int
  /// Only with ``State/retry``.
  package let reason: Reason?

  package init(_ state: State, attempt: Int, reason: Reason? = nil) {
    (self.state, self.attempt, self.reason) = (state, attempt, reason)
  }

  package static let coder = ObjectCoder(
    Self.init(_:attempt:reason:), .required("state", \.state), .required("attempt", \.attempt),
    .optional("reason", \.reason))
}
