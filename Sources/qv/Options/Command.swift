import VaultInterface

struct Command: Sendable {
  let name: String
  var aliases: [String] = []
  /// One line for the list of commands and for completion.
  let summary: Localized
  /// The synopsis and the explanation.
  let help: Localized
  var options: [Option] = []
  /// The kinds of the operands; the last one repeats if ``repeatsOperands``.
  var operands: [Candidates] = []
  var repeatsOperands = false
  /// Whether it is left out of lists.
  var isHidden = false
  let run: @Sendable (Invocation) throws(Failure) -> Void

  var allOptions: [Option] { Option.common + options }

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
    ClearClipboardCommand.command, ManualPage.command,
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
