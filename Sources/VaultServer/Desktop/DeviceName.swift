import Glibc

/// What tells this user of this machine from every other.
enum DeviceName {
  /// The machine's id (machine-id(5)), the user's number and their home, which is where the keychain lives.
  static var ofThisUser: String {
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
    return "\(machine)\n\(getuid())\n\(home)"
  }

  private static var machine: String {
    let descriptor = unsafe open("/etc/machine-id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix(max(count, 0)).prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
