import Glibc
import Vault

/// Identifies this user on this machine.
enum DeviceName {
  /// The machine ID (machine-id(5)), the user ID and the home directory, which determine the keychain.
  static var ofThisUser: String {
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
    return "\(SystemIdentifier.read("/etc/machine-id"))\n\(getuid())\n\(home)"
  }
}
