import VaultInterface
import Wire

enum SettingsCommand {
  static let command = Command(
    name: "settings", summary: Localized("show or change settings", "查看或修改设置"),
    options: [.json] + Option.password, operands: [.settings], repeatsOperands: true
  ) { invocation throws(Failure) in
    let settings: Settings
    if invocation.operands.isEmpty {
      settings = try invocation.vault.ask(SettingsGet()).settings
    } else {
      switch try invocation.vault.attempt(SettingsUpdate(change: try change(invocation.operands))) {
      case .success(let answer): settings = answer.settings
      case .failure(let error) where error.kind == "settings.invalid":
        throw .exit(.invalid, error.issueLines)
      case .failure(let error): throw error.failure
      }
      invocation.mention("settings saved", "设置已保存")
    }
    if try invocation.showsJSON(settings.json) { return }
    if try invocation.shows({ TerminalPage(settings) }) { return }
    for setting in Setting.allCases where setting.template == nil || settings[setting] != .none {
      try invocation.output.line("\(setting.rawValue)=\(setting.word(settings[setting]))")
    }
  }

  /// The settings with their first values and limits, a line each.
  private static func values(_ language: Language) -> String {
    Setting.allCases.map { setting in
      let limits =
        switch setting.description.kind {
        case .flag: "(on, off)"
        case .seconds(let range): "(\(range.lowerBound)–\(range.upperBound), off)"
        case .count(let range): "(\(range.lowerBound)–\(range.upperBound))"
        case .choice(let choices): "(\(choices.map(\.value).joined(separator: ", ")))"
        case .template, .tag: ""
        }
      let row = "  \(setting.rawValue)=\(setting.word(setting.description.initial)) \(limits)"
      let space = String(repeating: " ", count: max(1, 44 - row.count))
      return "\(row)\(space)\(setting.description.label[language])"
    }.joined(separator: "\n")
  }

  /// Reads words such as `lockOnSleep=off`.
  private static func change(_ words: [String]) throws(Failure) -> SettingsChange {
    var change = SettingsChange()
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let first = parts[0].first, first.isLetter else {
        throw .unexpectedArgument(word)
      }
      guard let setting = Setting(named: parts[0]) else {
        throw .usage(
          Localized(
            "there is no setting \(parts[0]); qv settings shows all of them",
            "没有“\(parts[0])”这项设置：用 qv settings 查看全部设置"))
      }
      guard let value = setting.value(ofWord: parts[1]) else {
        let help = setting.description.help
        throw .exit(
          .invalid,
          Localized("\(setting.rawValue): \(help.english)", "\(setting.rawValue)：\(help.simplifiedChinese)"))
      }
      change.values[setting] = value
    }
    return change
  }
}

extension Setting {
  /// - Parameter name: that of the protocol, or the label in either language.
  fileprivate init?(named name: String) {
    let folded = name.foldedName
    let found = Self.allCases.first {
      $0.rawValue == name
        || [$0.description.label.english, $0.description.label.simplifiedChinese].map(\.foldedName)
          .contains(folded)
    }
    guard let found else { return nil }
    self = found
  }

  /// A value as a person reads it.
  func name(of value: Value) -> Localized {
    switch (value, description.kind) {
    case (.flag(let isOn), _): isOn ? Localized("on", "开") : Localized("off", "关")
    case (.seconds(let number), _), (.number(let number), _): Localized(verbatim: "\(number)")
    case (.text(let text), .choice(let choices)):
      choices.first { $0.value == text }?.label ?? Localized(verbatim: text)
    case (.text(let text), _): Localized(verbatim: text)
    case (.none, .seconds): Localized("never", "从不")
    case (.none, _): Localized("none", "无")
    }
  }

  /// A value as it is typed and shown.
  fileprivate func word(_ value: Value) -> String {
    switch value {
    case .flag(let isOn): isOn ? "on" : "off"
    case .seconds(let number), .number(let number): String(number)
    case .text(let text): text.oneLine
    case .none: template == nil && description.kind != .tag ? "off" : ""
    }
  }

  /// Reads a value as it is typed; nil if it is none of this kind.
  fileprivate func value(ofWord word: String) -> Value? {
    let isOff = ["off", "no", "false", "关", "never", "null"].contains(word.lowercased())
    switch description.kind {
    case .flag:
      return isOff
        ? .flag(false) : ["on", "yes", "true", "开"].contains(word.lowercased()) ? .flag(true) : nil
    case .seconds: return isOff ? Value.none : Int(word).map(Value.seconds)
    case .count: return Int(word).map(Value.number)
    case .choice: return .text(word)
    case .template, .tag: return word.isEmpty || word == "null" ? Value.none : .text(word)
    }
  }
}
