import JSON
import JSONRPC

/// `fingerprint/didChangeState`: how a verification goes on.
struct FingerprintDidChangeState: OutgoingNotification {
  static let method = "fingerprint/didChangeState"

  /// What has become of it.
  enum State: Hashable {
    case scanning
    case retry(reason: String)
    case notMatched
    case matched
  }

  var state: State
  /// Which attempt it is, from 1.
  var attempt: Int

  var json: JSON {
    let attempt = JSON.Member("attempt", .integer(attempt))
    return switch state {
    case .scanning: .object([.init("state", "scanning"), attempt])
    case .retry(let reason): .object([.init("state", "retry"), attempt, .init("reason", .string(reason))])
    case .notMatched: .object([.init("state", "notMatched"), attempt])
    case .matched: .object([.init("state", "matched"), attempt])
    }
  }
}

/// `desktop/didLock`: the desktop session locked.
struct DesktopDidLock: OutgoingNotification {
  static let method = "desktop/didLock"
  let json: JSON = [:]
}

/// `desktop/willSleep`: the machine waits with going to sleep.
struct DesktopWillSleep: OutgoingNotification {
  static let method = "desktop/willSleep"
  let json: JSON = [:]
}

/// `desktop/didWake`: the machine was asleep.
struct DesktopDidWake: OutgoingNotification {
  static let method = "desktop/didWake"
  let json: JSON = [:]
}

/// `desktop/didStopWatching`: what was watched is watched no more.
struct DesktopDidStopWatching: OutgoingNotification {
  static let method = "desktop/didStopWatching"
  var lock: Bool
  var sleep: Bool

  var json: JSON { ["lock": .bool(lock), "sleep": .bool(sleep)] }
}
