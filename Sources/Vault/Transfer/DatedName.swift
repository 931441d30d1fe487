import VaultInterface

/// The parts of file names derived from a vault's name and a time.
enum DatedName {
  /// The file name extension of vaults.
  static let fileExtension = ".quickvault"

  /// Returns a name or path without the extension.
  static func stem(of name: String) -> String {
    name.hasSuffix(fileExtension) ? String(name.dropLast(fileExtension.count)) : name
  }

  /// Formats a time for a file name, such as `20261121T123005Z`.
  static func stamp(of time: Timestamp) -> String {
    time.description.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }
}
