import Testing

@testable import qv

@Suite("Help") struct HelpTests {
  @Test("Every command has help in both languages, which begins with how it is called")
  func commands() {
    for command in Command.all {
      let ofQuickVault = ["merge-files": "quickvault merge", "mcp": "quickvault mcp"]
      let synopsis = ofQuickVault[command.name] ?? "qv \(command.name)"
      for text in [command.help.english, command.help.simplifiedChinese] {
        #expect(text.hasPrefix(synopsis) || text.hasPrefix("qv --\(command.name)"), "\(command.name)")
      }
      #expect(command.help.english != command.help.simplifiedChinese || command.isHidden, "\(command.name)")
    }
  }

  @Test("The general help has the places that are filled in")
  func general() {
    let help = HelpCommand.texts["qv"]
    for text in [help.english, help.simplifiedChinese] {
      #expect(text.contains("\n{commands}\n") && text.hasSuffix("\n{statuses}"))
    }
    let (general, options) = HelpCommand.parts
    #expect(general.hasPrefix("Without a command") && options.hasPrefix("Options of all commands:"))
  }
}
