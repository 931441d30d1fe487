import Glibc
import VaultInterface

extension Timestamp {
  /// The time in the user's time zone, as `2026-11-22 14:15`.
  var local: String {
    var seconds = Int((milliseconds - (milliseconds < 0 ? 999 : 0)) / 1_000)
    var local = unsafe tm()
    guard unsafe localtime_r(&seconds, &local) != nil else { return description }
    let parts = unsafe [local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min].map {
      ($0 < 10 ? "0" : "") + String($0)
    }
    return unsafe "\(local.tm_year + 1900)-\(parts[0])-\(parts[1]) \(parts[2]):\(parts[3])"
  }
}
