import VaultInterface

enum HelpCommand {
  static let command = Command(
    name: "help", summary: Localized("show help", "显示帮助"),
    help: Localized(
      "qv help [COMMAND | exit-status]\n\nShows help about qv or a command.",
      "qv help [命令 | exit-status]\n\n显示 qv 或某个命令的帮助。"),
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

  private static func general(_ language: Language) -> String {
    let width = Command.shown.map(\.name.count).max() ?? 0
    let list = Command.shown.map { "  \($0.name.padded(to: width))  \($0.summary[language])" }
    let statuses = ExitStatus.table.map { "  \("\($0.number)".padded(to: 3))  \($0.meaning[language])" }
    let topic = Localized(
      "For the kinds of errors with each status, see qv help exit-status.",
      "各退出状态对应的错误种类见 qv help exit-status。")
    return before[language] + list.joined(separator: "\n") + after[language]
      + (statuses + ["", topic[language]]).joined(separator: "\n")
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
    let text = after.english
    guard let start = text.firstRange(of: "Options of all commands:"),
      let end = text.firstRange(of: "Exit status:")
    else {
      return (text, "")
    }
    let general = String(text[..<start.lowerBound]).trimmed.replacing("\n  ", with: "\n")
    return (general, String(text[start.lowerBound..<end.lowerBound]).trimmed)
  }

  private static let before = Localized(
    """
    qv - the QuickVault client for the command line

      qv [COMMAND] [OPTIONS] [ARGUMENTS]


    """,
    """
    qv - 随取（QuickVault）的命令行客户端

      qv [命令] [选项] [参数…]


    """)

  private static let after = Localized(
    """


      Without a command, list. For details, use qv help COMMAND. You can abbreviate commands to an
      unambiguous prefix.

    CARD is a whole title, in any case, or an id. On a terminal, a part of a title, the beginning of an id (at
    least 4 digits) or words that only one card contains will do too; qv asks before it changes such a card.
    Elsewhere, and with --yes, they do only for reading, with --search. If several cards match, qv lists them
    and does nothing.

    qv shares the unlocked vault with your editors and other terminals: unlock once in a terminal, and every
    command in it can use the vault. Another terminal has to be admitted by the password, a fingerprint, or your
    consent in an editor that uses the vault.

    Options of all commands:
      --vault PATH        use another vault for this command
      --alone             share nothing: use a separate process, which asks for the password each time
      --password-fd N     if a password is needed, read it as the next line of descriptor N
      --password-command COMMAND
                          or as the first line that a command prints
      --pinentry          or have your pinentry ask; without a terminal, it asks if there is a display
      -h, --help          show this help, or the help of the command
      -V, --version       show versions
    Short options: -0 --null, -a --all, -f --field, -g --group, -i --in, -j --json, -n --limit,
    -o --to and --out, -p --print, -s --style, -t --tag, -w --watermark, -y --yes.
    Aliases: ls (list), find (search), get and cat (show), cp and clip (copy), add and create (new), rm and
    remove (delete), passwd (password).

    Environment: QUICKVAULT_VAULT (the vault), QUICKVAULT_PROGRAM (the quickvault program),
    QUICKVAULT_ALONE (as --alone), QUICKVAULT_TICKET (from an editor that lets qv use the vault),
    QUICKVAULT_VIEWER (the program that opens attachments), VISUAL and EDITOR (the editor), NO_COLOR (no bold
    text), LC_ALL, LC_MESSAGES, LANG (Chinese for zh*, else English).

    Exit status:

    """,
    """


      不给命令时为 list。各命令的详细说明见“qv help 命令名”。只要没有歧义，命令名可以缩写。

    卡片用完整的标题（不区分大小写）或编号指定。在终端上，也可以用标题的一部分、编号的开头（至少 4 位）
    或只有它包含的词；更改这样找到的卡片之前会先询问。没有终端或使用 --yes 时，只有读取内容的命令可以这样指定，
    且需加 --search。匹配多张卡片时，只列出它们，不执行操作。

    qv 与编辑器和其他终端共用已解锁的保险库：在一个终端中解锁一次，其中的所有命令即可继续使用。
    其他终端需要用密码或指纹获准，或由您在使用该保险库的编辑器中同意。

    所有命令通用的选项：
      --vault 路径        此命令使用另一个保险库
      --alone             使用单独的进程，不与其他程序共用；每次都询问密码
      --password-fd N     需要密码时，从描述符 N 读取下一行
      --password-command 命令
                          或读取命令输出的第一行
      --pinentry          或由 pinentry 询问；有图形界面而没有终端时也会如此
      -h, --help          显示本帮助，或该命令的帮助
      -V, --version       显示版本
    短选项：-0 --null、-a --all、-f --field、-g --group、-i --in、-j --json、-n --limit、
    -o --to 和 --out、-p --print、-s --style、-t --tag、-w --watermark、-y --yes。
    命令别名：ls（list）、find（search）、get 和 cat（show）、cp 和 clip（copy）、add 和 create（new）、
    rm 和 remove（delete）、passwd（password）。

    环境变量：QUICKVAULT_VAULT（保险库）、QUICKVAULT_PROGRAM（quickvault 程序）、
    QUICKVAULT_ALONE（同 --alone）、QUICKVAULT_TICKET（由编辑器给出，凭此使用保险库）、
    QUICKVAULT_VIEWER（打开附件的程序）、VISUAL 和 EDITOR（编辑器）、NO_COLOR（不用粗体）、
    LC_ALL、LC_MESSAGES、LANG（zh* 为中文，否则为英文）。

    退出状态：

    """)
}

enum VersionCommand {
  static let command = Command(
    name: "version", summary: Localized("show versions", "显示版本"),
    help: Localized(
      "qv --version\n\nShows the versions of qv and of the quickvault program.",
      "qv --version\n\n显示 qv 与 quickvault 程序的版本。")
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
    help: Localized("qv manual-page", "qv manual-page"), isHidden: true
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
