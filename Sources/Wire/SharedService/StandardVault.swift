import Glibc

/// Where the vault is if no option names it.
package enum StandardVault {
  /// `QUICKVAULT_VAULT`, or else the path by the XDG Base Directory Specification; nil without a home directory.
  package static func path(_ environment: (String) -> String?) -> String? {
    if let path = environment("QUICKVAULT_VAULT"), !path.isEmpty { return path }
    let data = environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let directory = data ?? homeDirectory(environment).map { "\($0)/.local/share" }
    return directory.map { "\($0)/quickvault/vault.quickvault" }
  }

  /// `HOME`, or else what the system has of this user; nil if neither is an absolute path.
  package static func homeDirectory(_ environment: (String) -> String?) -> String? {
    if let home = environment("HOME"), home.hasPrefix("/") { return home }
    guard let entry = unsafe getpwuid(getuid()), let directory = unsafe entry.pointee.pw_dir else {
      return nil
    }
    let home = unsafe String(cString: directory)
    return home.hasPrefix("/") ? home : nil
  }
}
