import HelperProtocols

/// What a pass did.
struct PassResult: Sendable {
  /// Why some files were not carried; nil if all were.
  var error: ErrorDescriptor?
  /// Why uploads were less safe than usual; nil if they were not.
  var notice: ErrorDescriptor?
  /// Whether nothing was copied or removed.
  var isIdle = false
  /// The files that the server did not take because of their sizes in bytes.
  var tooLarge: [String: Int] = [:]
}

/// How long after a pass over the folder the next one begins. Times are in milliseconds.
struct PassPauses {
  /// After a pass, if nothing was published before.
  private static let interval: Int64 = 60_000
  /// At most after failures.
  private static let maximumInterval: Int64 = 900_000
  /// At most while nothing changes, or if some files could not be carried.
  private static let idleInterval: Int64 = 300_000
  /// How many passes without a change the interval stays as it is.
  private static let passesBeforeIdle = 10
  /// What a server counts as that takes no requests and does not say when: such limits are by the half hour or so.
  private static let failuresOfLimit = 4
  /// The longest time that a server is left alone, in seconds.
  private static let longestBlock = 86_400

  /// How many passes failed as a whole, one after the other.
  private(set) var failures = 0
  /// How many passes found nothing to do, one after the other.
  private var idlePasses = 0
  private var isPartial = false
  /// Until when the server wants no requests, by the boot clock.
  private var blockedUntil: Int64 = 0

  /// Notes how a pass ended, at a time of the boot clock.
  mutating func note(_ result: Result<PassResult, any Error>, at time: Int64) {
    blockedUntil = 0
    switch result {
    case .success(let pass):
      (failures, isPartial) = (0, pass.error != nil)
      idlePasses = pass.isIdle ? idlePasses + 1 : 0
    case .failure(let error):
      (failures, idlePasses) = (min(failures + 1, 5), 0)
      guard case .rateLimited(let seconds)? = error as? CarrierError else { return }
      if let seconds {
        blockedUntil = time + Int64(min(seconds, Self.longestBlock)) * 1_000
      } else {
        failures = max(failures, Self.failuresOfLimit)
      }
    }
  }

  /// Begins anew, whatever failed before.
  mutating func forgetFailures() { failures = 0 }

  /// Whether the server wants no requests at a time of the boot clock.
  func isBlocked(at time: Int64) -> Bool { time < blockedUntil }

  /// How long after a time of the boot clock the next pass begins.
  func pause(at time: Int64) -> Int64 {
    let pause =
      if failures > 0 {
        min(Self.interval << (failures - 1), Self.maximumInterval)
      } else if isPartial {
        Self.idleInterval
      } else {
        min(Self.interval << min(max(idlePasses - Self.passesBeforeIdle, 0), 3), Self.idleInterval)
      }
    return max(pause, blockedUntil - time)
  }
}
