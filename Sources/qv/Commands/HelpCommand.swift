import CResources
import VaultInterface
import Wire

enum HelpCommand {
  static let command = Command(
    name: "help", summary: Localized("show help", "显示帮助"),
    operands: [.qvCommands]
  ) { invocation throws(Failure) in
    let language = invocation.language
    guard let word = invocation.operands.first else {
      return try invocation.printText(general(language))
    }
    if word == "exit-status" {
      return try invocation.printLines(exitStatuses(language))
    }
    guard let command = Command.named(word) else {
      throw .usage(Command.unknown(word))
    }
    try invocation.printText(command.help[language])
  }

  /// The texts of `qv help`, and of each command by its name.
  static let texts = unsafe LocalizedTexts(
    english: String(resource: quickvault_qv_help_en(), quickvault_qv_help_en_count()),
    simplifiedChinese: String(resource: quickvault_qv_help_zh(), quickvault_qv_help_zh_count()))

  private static func general(_ language: Language) -> String {
    let width = Command.shown.map(\.name.count).max() ?? 0
    let list = Command.shown.map { "  \($0.name.padded(to: width))  \($0.summary[language])" }
    let statuses = ExitStatus.table.map { "  \("\($0.number)".padded(to: 3))  \($0.meaning[language])" }
    let topic = Localized(
      "For the kinds of errors with each status, see qv help exit-status.",
      "各退出状态对应的错误种类见 qv help exit-status。")
    return texts["qv"][language]
      .replacing("{commands}", with: list.joined(separator: "\n"))
      .replacing("{statuses}", with: (statuses + ["", topic[language]]).joined(separator: "\n"))
  }

  /// The statuses with the kinds of errors of the protocol.
  private static func exitStatuses(_ language: Language) -> [String] {
    ExitStatus.allCases.flatMap { status in
      guard let meaning = status.meaning else { return [] as [String] }
      return ["\(status.rawValue)  \(meaning[language])"] + status.kinds.map { "      \($0)" }
    }
  }

  /// The English text before the options, and from there to the exit statuses, for the manual page.
  static var parts: (general: String, options: String) {
    let text = texts["qv"].english
    guard let before = text.firstRange(of: "{commands}"),
      let start = text.firstRange(of: "Options of all commands:"),
      let end = text.firstRange(of: "Exit status:")
    else {
      return (text, "")
    }
    let general = String(text[before.upperBound..<start.lowerBound]).trimmed.replacing("\n  ", with: "\n")
    return (general, String(text[start.lowerBound..<end.lowerBound]).trimmed)
  }
}

enum VersionCommand {
  static let command = Command(
    name: "version", summary: Localized("show versions", "显示版本")
  ) { invocation throws(Failure) in
    try invocation.output.line("qv \(CommandLineProgram.version)")
    guard let program = SearchPath.quickvault,
      let result = try ChildProcess.run(program, ["quickvault", "--version"])
    else { return }
    try invocation.output.write(result.output)
  }
}

/// The hidden command that prints the manual page qv(1) in mdoc(7), from the same texts as the help.
enum ManualPage {
  static let command = Command(
    name: "manual-page", summary: Localized("print the manual page", "输出手册页"),
    isHidden: true
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    for line in lines { try invocation.output.line(line) }
  }

  private static var lines: [String] {
    let (general, rest) = HelpCommand.parts
    var lines = [
      ".\\\" Made by qv manual-page.", ".Dd November 28, 2026", ".Dt QV 1", ".Os QuickVault", ".Sh NAME",
      ".Nm qv",
      ".Nd QuickVault client for the command line", ".Sh SYNOPSIS", ".Nm", ".Op Ar command", ".Op Ar options",
      ".Op Ar arguments", ".Sh DESCRIPTION",
    ]
    lines += literal(general)
    lines.append(".Sh COMMANDS")
    for command in Command.shown {
      lines.append(".Ss \(command.name)")
      lines += literal(command.help.english)
    }
    lines += [".Sh OPTIONS AND ENVIRONMENT"] + literal(rest) + [".Sh EXIT STATUS", ".Bl -tag -width Ds"]
    let kinds = Dictionary(uniqueKeysWithValues: ExitStatus.allCases.map { ($0.rawValue, $0.kinds) })
    for (number, meaning) in ExitStatus.table {
      lines += [
        ".It \(number)", escaped(meaning.english.prefix(1).uppercased() + meaning.english.dropFirst() + "."),
      ]
      let known = kinds[number] ?? []
      if !known.isEmpty { lines.append("Errors: " + known.joined(separator: ", ") + ".") }
    }
    lines += [".El", ".Sh EXAMPLES"]
    lines += literal(
      """
      qv unlock
      qv copy harbor --field taxId
      qv search 'type:invoice 招商'
      qv pick --menu 'rofi -dmenu -sync' --type
      qv list | cut -f 2
      qv show wifi -f text --password-command 'secret-tool lookup vault work'
      """)
    return lines + [".Sh SEE ALSO", ".Xr quickvault 1"]
  }

  /// A text with its lines as they are.
  private static func literal(_ text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
    return [".Bd -literal"] + lines + [".Ed"]
  }

  private static func escaped(_ line: String) -> String {
    let text = line.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
