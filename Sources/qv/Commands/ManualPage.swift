import VaultInterface

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
