import Glibc

/// The environment of a service. It serves clients of many terminals and desktops, so nothing comes from where it was started but
/// the user's directories and language.
package enum ServiceEnvironment {
  private static let names: Set<String> = [
    "HOME", "LANG", "LC_ALL", "LC_MESSAGES", "LOGNAME", "PATH", "TZ", "USER", "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
  ]

  /// The variables of this process that a service needs, each as `NAME=VALUE`.
  package static var reduced: [String] {
    ProcessEnvironment.entries.filter { names.contains(name(of: $0)) }
  }

  /// Removes all other variables from this process.
  package static func reduce() {
    for name in ProcessEnvironment.entries.map(name) where !names.contains(name) { unsafe unsetenv(name) }
  }

  private static func name(of entry: String) -> String { String(entry.prefix { $0 != "=" }) }
}
