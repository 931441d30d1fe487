/// The settings of a vault (R13), and all that storage, the protocol and clients know of each.
///
/// A new setting is a case here with its ``description``, and what acts on it. The raw value is the name in the file and on the
/// wire, where what stands before a dot is an object.
public enum Setting: String, CaseIterable, Hashable, Sendable {
  /// Time without activity until the vault locks itself (R12).
  case autoLockSeconds
  /// Whether the vault locks when the client is in the background (R12).
  case lockOnBackground
  /// Whether the vault locks when the desktop session locks (R12).
  case lockWithDesktop
  /// Whether the vault locks before the machine sleeps (R12).
  case lockOnSleep
  /// Whether a finger may unlock the vault where a device is bound; off, bindings stay and are not used (R9).
  case biometricUnlock
  /// The programs that may use the vault once another one has unlocked it, a ``Settings/SharedUnlock``.
  case sharedUnlock
  /// How many earlier versions of a card are kept (R1).
  case keptVersions
  /// For how many days a deleted card can be restored (R1); 0 deletes at once.
  case keepDeletedDays
  /// The time after which a client clears the clipboard (R18).
  case clipboardClearSeconds
  /// Whether numbers are copied as they are typed, or without what groups their digits, a ``Settings/CopiedNumbers`` (R18).
  case copiedNumbers
  /// The styles in which cards are copied unless another one is asked for, a ``CopyStyle`` (R18).
  case addressStyle = "addressCopyStyle"
  case invoiceStyle = "invoiceCopyStyle"
  case titleStyle = "titleCopyStyle"
  case textStyle = "textCopyStyle"
  /// The user's copy templates (R18).
  case addressTemplate = "copyTemplates.address"
  case invoiceTemplate = "copyTemplates.invoice"
  case titleTemplate = "copyTemplates.title"
  case textTemplate = "copyTemplates.text"
  /// Whether agents may run commands with values, if the person allows each; `ask` or `never`.
  case agentCommands
  /// Whether agents may read values, if the person allows each; `ask` or `never`.
  case agentReveals
  /// The tag that hides cards from agents.
  case agentHiddenTag
  /// The language of messages and labels, a ``Settings/LanguageChoice``.
  case language

  /// The value of a setting.
  public enum Value: Hashable, Sendable {
    case flag(Bool)
    case seconds(Int)
    case number(Int)
    case text(String)
    /// Never, or no template.
    case none
  }

  /// What the values of a setting are.
  public enum Kind: Hashable, Sendable {
    case flag
    /// A time in seconds, or never.
    case seconds(ClosedRange<Int>)
    case count(ClosedRange<Int>)
    /// One of these words. What protects more stands further down.
    case choice([Choice])
    /// A copy template for this type of card, or none.
    case template(CardType)
    /// A tag, or none.
    case tag
  }

  /// One of the values of a ``Kind/choice(_:)``.
  public struct Choice: Hashable, Sendable {
    public let value: String
    public let label: Localized
  }

  /// A row of the table of settings.
  public struct Description: Hashable, Sendable {
    public let kind: Kind
    /// The value in a new vault.
    public let initial: Value
    /// Whether giving up what it protects needs the password or a fingerprint again (R9).
    public let protects: Bool
    public let label: Localized
    /// What can be set, as a sentence.
    public let help: Localized

    fileprivate init(
      _ kind: Kind, _ initial: Value, protects: Bool = true, _ label: (String, String),
      _ help: (String, String)
    ) {
      (self.kind, self.initial, self.protects) = (kind, initial, protects)
      (self.label, self.help) = (Localized(label.0, label.1), Localized(help.0, help.1))
    }
  }

  public var description: Description {
    switch self {
    case .autoLockSeconds:
      Description(
        .seconds(15...86_400), .seconds(300), ("Lock when idle for (seconds)", "闲置多少秒后锁定"),
        (
          "The vault locks when idle for 15 to 86,400 seconds (24 hours), or never.",
          "闲置锁定时间应为 15 到 86,400 秒（24 小时），或从不锁定。"
        ))
    case .lockOnBackground:
      Description(
        .flag, .flag(true), ("Lock in the background", "转入后台时锁定"),
        ("The vault locks when no program that uses it is in front.", "没有使用保险库的程序在前台时，保险库会锁定。"))
    case .lockWithDesktop:
      Description(
        .flag, .flag(true), ("Lock with the desktop", "桌面锁定时一并锁定"),
        ("The vault locks when the desktop session locks.", "桌面锁定时，保险库会一并锁定。"))
    case .lockOnSleep:
      Description(
        .flag, .flag(true), ("Lock before sleep", "电脑睡眠前锁定"),
        ("The vault locks before the computer sleeps.", "电脑睡眠前，保险库会锁定。"))
    case .biometricUnlock:
      Description(
        .flag, .flag(true), ("Unlock with a fingerprint", "用指纹解锁"),
        ("A fingerprint unlocks the vault on bound devices.", "在已绑定的设备上可以用指纹解锁。"))
    case .sharedUnlock:
      Description(
        .choice([
          Choice(value: "always", label: Localized("allow it", "允许")),
          Choice(value: "ask", label: Localized("ask for consent", "询问")),
          Choice(value: "never", label: Localized("require the password", "要求主密码")),
        ]), .text("ask"), ("When another program wants to use the unlocked vault", "其他程序要使用已解锁的保险库时"),
        (
          "Other programs may use the unlocked vault always, if you allow it (ask), or never.",
          "其他程序能否使用已解锁的保险库：允许（always）、询问（ask）或要求主密码（never）。"
        ))
    case .keptVersions:
      Description(
        .count(0...50), .number(10), protects: false, ("Earlier versions to keep", "保留的历史版本数"),
        (
          "Of each card, 0 to 50 earlier versions are kept, none older than a year.",
          "每张卡片保留 0 到 50 个历史版本，最长一年。"
        ))
    case .keepDeletedDays:
      Description(
        .count(0...365), .number(0), protects: false, ("Keep deleted cards for (days)", "已删除的卡片保留多少天"),
        (
          "Deleted cards can be restored for 0 to 365 days; 0 deletes them at once.",
          "已删除的卡片可在 0 到 365 天内恢复；0 表示立即删除。"
        ))
    case .clipboardClearSeconds:
      Description(
        .seconds(5...3_600), .seconds(30), ("Clear copies after (seconds)", "多少秒后清除已复制的内容"),
        (
          "The clipboard is cleared after 5 to 3,600 seconds (1 hour), or never.",
          "清除剪贴板的时间应为 5 到 3,600 秒（1 小时），或从不清除。"
        ))
    case .language:
      Description(
        .choice([
          Choice(value: "auto", label: Localized("system default", "跟随系统")),
          Choice(value: "en", label: Localized("English", "English")),
          Choice(value: "zh-Hans", label: Localized("简体中文", "简体中文")),
        ]), .text("auto"), protects: false, ("Language", "语言"),
        (
          "The language must be automatic (auto), English (en) or Simplified Chinese (zh-Hans).",
          "语言应为自动（auto）、英文（en）或简体中文（zh-Hans）。"
        ))
    case .copiedNumbers:
      Description(
        .choice([
          Choice(value: "asTyped", label: Localized("as typed", "按原样")),
          Choice(value: "digitsOnly", label: Localized("digits only", "仅数字")),
        ]), .text("asTyped"), protects: false, ("Copy numbers", "复制号码"),
        (
          "Phone numbers, tax IDs, accounts and postal codes are copied as typed (asTyped) or without spaces and dashes (digitsOnly).",
          "电话、税号、账号和邮编按原样复制（asTyped），或去掉空格和短横线（digitsOnly）。"
        ))
    case .agentCommands:
      Description(
        .choice([
          Choice(value: "ask", label: Localized("ask for consent", "询问")),
          Choice(value: "never", label: Localized("refuse", "拒绝")),
        ]), .text("never"), ("When an agent wants to run a command with values", "智能体要用卡片内容运行命令时"),
        (
          "Agents may give values to commands if you allow each (ask), or never. A command can show what it is given.",
          "智能体能否把卡片内容交给命令：逐次询问（ask）或从不（never）。命令可以显示交给它的内容。"
        ))
    case .agentReveals:
      Description(
        .choice([
          Choice(value: "ask", label: Localized("ask for consent", "询问")),
          Choice(value: "never", label: Localized("refuse", "拒绝")),
        ]), .text("never"), ("When an agent wants to read a value", "智能体要读取卡片内容时"),
        (
          "Agents may read a value if you allow it each time (ask), or never. What an agent reads, its provider gets.",
          "智能体能否读取卡片内容：每次询问（ask）或从不（never）。智能体读取的内容会发给其服务商。"
        ))
    case .agentHiddenTag:
      Description(
        .tag, .text("no-agents"), ("Tag that hides cards from agents", "对智能体隐藏卡片的标签"),
        ("Cards with this tag do not exist for agents.", "带此标签的卡片对智能体不可见。"))
    case .addressStyle: Self.style(.address)
    case .invoiceStyle: Self.style(.invoice)
    case .titleStyle: Self.style(.title)
    case .textStyle: Self.style(.text)
    case .addressTemplate: Self.template(.address)
    case .invoiceTemplate: Self.template(.invoice)
    case .titleTemplate: Self.template(.title)
    case .textTemplate: Self.template(.text)
    }
  }

  private static func template(_ type: CardType) -> Description {
    Description(
      .template(type), .none, protects: false, label("Copy template", "复制模板", of: type),
      ("The text to copy, with fields in braces: {title}.", "复制时的文本，字段写在花括号中：{title}。"))
  }

  private static func style(_ type: CardType) -> Description {
    Description(
      .choice(CopyStyle.allCases.map { Choice(value: $0.rawValue, label: $0.label) }), .text("labelled"),
      protects: false, label("Copy style", "复制样式", of: type),
      (
        "Cards are copied as labelled, values, oneLine, markdown, json or template, which needs a copy template.",
        "卡片的复制样式：labelled、values、oneLine、markdown、json 或 template（须先设置复制模板）。"
      ))
  }

  private static func label(_ english: String, _ chinese: String, of type: CardType) -> (String, String) {
    ("\(english), \(type.label.english.lowercased())", "\(chinese)（\(type.label.simplifiedChinese)）")
  }

  /// The setting with the copy style of a type.
  public init?(styleFor type: CardType) { self.init(rawValue: "\(type.rawValue)CopyStyle") }

  /// The setting with the copy template of a type.
  public init?(templateFor type: CardType) { self.init(rawValue: "copyTemplates.\(type.rawValue)") }

  /// Whether a new value gives up some of the protection of the old one (R9).
  func isWeaker(_ new: Value, than old: Value) -> Bool {
    guard description.protects else { return false }
    if case .choice(let choices) = description.kind {
      let rank = { (value: Value) in choices.firstIndex { .text($0.value) == value } ?? 0 }
      return rank(new) < rank(old)
    }
    if description.kind == .tag { return new != old }
    return old != new && (new == .flag(false) || new == .none)
  }

  /// What is wrong with a value; nil if it can be set.
  func issue(of value: Value) -> Issue? {
    switch (description.kind, value) {
    case (.flag, .flag), (.seconds, .none), (.template, .none), (.tag, .none): nil
    case (.seconds(let range), .seconds(let seconds)) where range.contains(seconds): nil
    case (.count(let range), .number(let number)) where range.contains(number): nil
    case (.choice(let choices), .text(let word)) where choices.contains { $0.value == word }: nil
    case (.template(let type), .text(let source)): templateIssue(source, for: type)
    case (.tag, .text(let tag))
    where !tag.isBlank && !tag.isLonger(than: Limits.tag) && !tag.hasInvalidCharacter(multiline: false): nil
    default:
      Issue(
        field: rawValue, code: self == .language ? .unknownLanguage : .outOfRange, message: description.help)
    }
  }

  private func templateIssue(_ source: String, for type: CardType) -> Issue? {
    if source.hasInvalidCharacter(multiline: true) {
      return .invalidCharacter(rawValue, Localized("The copy template", "复制模板"), multiline: true)
    }
    do {
      try CopyTemplate(parsing: source).check(for: type)
      return nil
    } catch {
      return Issue(
        field: rawValue, code: error.reason == .tooLong ? .tooLong : .invalidTemplate, message: error.message)
    }
  }
}
