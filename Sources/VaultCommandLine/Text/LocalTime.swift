import Glibc

/// A point in time of the protocol, such as `2026-11-22T06:15:39.436Z`.
enum LocalTime {
  /// The time in the user's time zone, as `2026-11-22 14:15`; the text itself if it is not understood.
  static func text(_ timestamp: String) -> String {
    let digits = Array(timestamp.utf8)
    let number = { (start: Int, count: Int) -> Int32? in
      guard digits.count >= start + count else { return nil }
      return Int32(String(decoding: digits[start..<start + count], as: UTF8.self))
    }
    guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
      let minute = number(14, 2), let second = number(17, 2)
    else { return timestamp.oneLine }
    var time = unsafe tm()
    unsafe (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, day)
    unsafe (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
    var seconds = unsafe timegm(&time)
    var local = unsafe tm()
    guard unsafe localtime_r(&seconds, &local) != nil else { return timestamp.oneLine }
    let parts = unsafe [local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min].map {
      ($0 < 10 ? "0" : "") + String($0)
    }
    return unsafe "\(local.tm_year + 1900)-\(parts[0])-\(parts[1]) \(parts[2]):\(parts[3])"
  }
}
