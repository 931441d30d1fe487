import Glibc

enum Network {
  /// Returns whether this machine has an address besides its own loopback.
  static func isConnected() -> Bool {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&first) == 0 else { return true }
    defer { unsafe freeifaddrs(first) }
    var next = unsafe first
    while let entry = unsafe next {
      let family = unsafe entry.pointee.ifa_addr.map { unsafe Int32($0.pointee.sa_family) }
      let isLoopback = unsafe entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) != 0
      if !isLoopback, family == AF_INET || family == AF_INET6 { return true }
      unsafe next = entry.pointee.ifa_next
    }
    return false
  }
}
