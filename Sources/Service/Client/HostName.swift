import Glibc
import VaultInterface

/// The name of this machine.
enum HostName {
  /// Returns the name that the user gave the machine; the host name without one, as an empty one could not be told from others.
  static func unless(_ given: String?) -> String {
    let name = given?.trimmed ?? ""
    return name.isEmpty ? current : name
  }

  private static var current: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "" }
    return unsafe withUnsafeBytes(of: &name.nodename) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
