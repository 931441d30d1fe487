import VaultModel

/// What the names of files are made of that are made of a vault: the vault's name, and the time.
enum DatedName {
  /// The ending of a vault's name.
  static let ending = ".quickvault"

  /// A name, or a path, without the ending.
  static func stem(of name: String) -> String {
    name.hasSuffix(ending) ? String(name.dropLast(ending.count)) : name
  }

  /// A time as names have it, such as `20261121T123005Z`.
  static func stamp(of time: Timestamp) -> String {
    time.description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
