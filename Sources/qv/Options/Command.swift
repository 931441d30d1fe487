import VaultInterface

struct Command: Sendable {
  let name: String
  var aliases: [String] = []
  /// One line for the list of commands and for completion.
  let summary: Localized
  var options: [Option] = []
  /// The kinds of the operands; the last one repeats if ``repeatsOperands``.
  var operands: [Candidates] = []
  var repeatsOperands = false
  /// Whether it is left out of lists.
  var isHidden = false
  let run: @Sendable (Invocation) throws(Failure) -> Void

  var allOptions: [Option] { Option.common + options }

  /// The synopsis and the explanation.
  var help: Localized { HelpCommand.texts[name] }

  /// The commands in the order of the help.
  static let all: [Command] = [
    InitCommand.command, UnlockCommand.command, LockCommand.command, StatusCommand.command,
    ListCommand.command,
    SearchCommand.command, ShowCommand.command, CopyCommand.command, CodeCommand.command, TypeCommand.command,
    PickCommand.command,
    FillCommand.command, RunCommand.command,
    NewCommand.command, PasteCommand.command, GenerateCommand.command, EditCommand.command,
    DeleteCommand.command,
    RestoreCommand.command, HistoryCommand.command, RevertCommand.command, TrashCommand.list,
    TrashCommand.empty,
    PinCommand.pin, PinCommand.unpin,
    AttachCommand.command, AttachmentsCommand.command, OpenCommand.command, SaveCommand.command,
    WatermarkCommand.command, DetachCommand.command, ImportCommand.command, ExportCommand.command,
    BackupCommand.command, MergeCommand.command, ConflictsCommand.command, SyncCommand.command,
    RekeyCommand.command,
    AccountCommand.command,
    RepairCommand.command, DemoCommand.command,
    DoctorCommand.command, PrivacyCommand.command,
    FingerprintCommand.command, DevicesCommand.command, ClientsCommand.command, TagsCommand.command,
    SettingsCommand.command, PasswordCommand.command, LogCommand.command, VerifyCommand.command,
    DeleteVaultCommand.command, HelpCommand.command, VersionCommand.command,
    CompleteCommand.command, MergeFilesCommand.command, PickRowsCommand.command,
    ClearClipboardCommand.command, AgentCommand.command, ManualPage.command,
  ]

  static var shown: [Command] { all.filter { !$0.isHidden } }

  /// The command with a name or an alias, or the only one that begins so.
  static func named(_ word: String) -> Command? {
    if let command = all.first(where: { $0.name == word || $0.aliases.contains(word) }) { return command }
    let candidates = beginning(word)
    return candidates.count == 1 ? candidates.first : nil
  }

  /// Why no command has a name.
  static func unknown(_ word: String) -> Localized {
    let names = word.isEmpty ? "" : beginning(word).map(\.name).joined(separator: ", ")
    return names.isEmpty
      ? Localized("unknown command: \(word)", "未知命令：\(word)")
      : Localized("ambiguous command: \(word) (\(names))", "命令有歧义：\(word)（\(names)）")
  }

  private static func beginning(_ word: String) -> [Command] { shown.filter { $0.name.hasPrefix(word) } }
}

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
