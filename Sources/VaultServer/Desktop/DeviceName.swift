import Glibc
import VaultSession

/// What tells this user of this machine from every other.
enum DeviceName {
  /// The machine's id (machine-id(5)), the user's number and their home, which is where the keychain lives.
  static var ofThisUser: String {
    let home = unsafe getenv("HOME").map { unsafe String(cString: $0) } ?? ""
    return "\(SystemIdentifier.read("/etc/machine-id"))\n\(getuid())\n\(home)"
  }
}
