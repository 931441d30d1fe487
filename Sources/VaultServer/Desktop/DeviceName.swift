import Glibc
import VaultSession

/// Identifies this user on this machine.
enum DeviceName {
  /// The machine's id (machine-id(5)), the user's id and home directory, where the keychain is.
  static var ofThisUser: String {
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
    return "\(SystemIdentifier.read("/etc/machine-id"))\n\(getuid())\n\(home)"
  }
}
