import Glibc

/// A point in time, which a wrong clock or a sleep does not move.
struct Deadline {
  private let end: Int

  /// - Parameter seconds: from now.
  init(_ seconds: Int) {
    end = Self.now() + seconds
  }

  var secondsLeft: Int { max(end - Self.now(), 0) }

  /// How long ago it was.
  var secondsPassed: Int { max(Self.now() - end, 0) }

  private static func now() -> Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return time.tv_sec
  }
}
