struct Option: Sendable {
  /// The long name without its dashes.
  let name: String
  var short: Character?
  /// The kind of its value, for completion; nil for an option without a value.
  var value: Candidates?
  /// Whether the value is a whole number: that of a descriptor, or one above zero.
  var isNumber = false

  static let help = Option(name: "help", short: "h")
  static let vault = Option(name: "vault", value: .files)
  static let alone = Option(name: "alone")
  static let json = Option(name: "json", short: "j")
  static let nullSeparated = Option(name: "null", short: "0")
  static let search = Option(name: "search")
  static let yes = Option(name: "yes", short: "y")
  static let limit = Option(name: "limit", short: "n", value: .nothing, isNumber: true)
  static let all = Option(name: "all", short: "a")
  static let group = Option(name: "group", short: "g", value: .groups)
  static let tag = Option(name: "tag", short: "t", value: .tags)
  static let type = Option(name: "type", value: .types)
  static let title = Option(name: "title", value: .nothing)
  static let field = Option(name: "field", short: "f", value: .labels)
  static let style = Option(name: "style", short: "s", value: .styles)
  static let template = Option(name: "template", value: .nothing)
  static let extra = Option(name: "extra", value: .nothing)
  static let conceal = Option(name: "conceal", value: .nothing)
  static let fromJSON = Option(name: "from-json", value: .nothing)
  static let watermark = Option(name: "watermark", short: "w", value: .nothing)
  static let original = Option(name: "original")
  static let destination = Option(name: "to", short: "o", value: .files)
  static let clipboardCommand = Option(name: "clipboard-command", value: .commands)
  static let passwordDescriptor = Option(name: "password-fd", value: .nothing, isNumber: true)
  static let passwordCommand = Option(name: "password-command", value: .commands)
  static let pinentry = Option(name: "pinentry")
  static let newPasswordDescriptor = Option(name: "new-password-fd", value: .nothing, isNumber: true)
  static let dryRun = Option(name: "dry-run")

  /// The options of every command.
  static let common = [help, vault, alone]
  /// The options of commands that may need the password.
  static let password = [passwordDescriptor, passwordCommand, pinentry]
  /// The options for key derivation.
  static let keyDerivation = [
    Option(name: "kdf", value: .derivations), Option(name: "iterations", value: .nothing, isNumber: true),
    Option(name: "memory", value: .nothing, isNumber: true),
  ]
}

/// The kinds of words on the command line, for completion.
enum Candidates: Sendable, Hashable {
  case nothing, files, commands, titles, tags, groups, types, styles, labels, formats, exportFormats,
    derivations
  case settings, attachments, devices
  /// A field to assign, followed by `=`.
  case assignments
  case words([String])
  /// Names of commands of qv.
  case qvCommands
}
