import JSON
import VaultModel
import VaultProtocol

enum SettingsCommand {
  static let command = Command(
    name: "settings", summary: Localized("show or change settings", "查看或修改设置"),
    help: Localized(
      """
      qv settings [NAME=VALUE]... [--json]

      Shows the settings, or changes some. A terminal shows what each is; a pipe gets NAME=VALUE.
        autoLockSeconds=300 (15 to 86400, or off)   clipboardClearSeconds=30 (5 to 3600, or off)
        lockOnBackground=on   lockWithDesktop=on    lockOnSleep=on
        biometricUnlock=on (fingerprint unlock on bound devices)
        sharedUnlock=ask (always, never; whether other programs may use the unlocked vault)
        language=auto (en, zh-Hans; for labels and the server's messages)
        copyTemplates.address='{name} {phone}' (also invoice and text; an empty value removes it)
      """,
      """
      qv settings [名称=值]… [--json]

      查看设置，或修改其中几项。终端上会说明各项的含义；输出到管道时为 名称=值。
        autoLockSeconds=300（15 到 86400，或 off）   clipboardClearSeconds=30（5 到 3600，或 off）
        lockOnBackground=on   lockWithDesktop=on     lockOnSleep=on
        biometricUnlock=on（在已绑定的设备上用指纹解锁）
        sharedUnlock=ask（always、never：其他程序能否使用已解锁的保险库）
        language=auto（en、zh-Hans：字段名与消息的语言）
        copyTemplates.address='{name} {phone}'（也可用 invoice、text；空值表示删除）
      """),
    options: [.json] + Option.password, operands: [.settings], repeatsOperands: true
  ) { invocation throws(Failure) in
    let answer: JSON
    if invocation.operands.isEmpty {
      answer = try invocation.vault.request(SettingsGet.method)
    } else {
      let change = try change(invocation.operands)
      switch try invocation.vault.attempt(SettingsUpdate.method, change) {
      case .success(let result): answer = result
      case .failure(let error) where error.kind == "settings.invalid":
        throw .exit(.invalid, error.issues.map { Localized(verbatim: "\($0.field): \($0.message)") })
      case .failure(let error): throw error.failure
      }
      invocation.mention("settings saved", "设置已保存")
    }
    let settings = answer["settings"] ?? [:]
    if try invocation.showsJSON(settings) { return }
    let rows = rows(settings)
    let width = rows.map(\.text.count).max() ?? 0
    for (name, row) in rows {
      if invocation.output.isTerminal, let label = labels[name] {
        try invocation.output.line(
          "\(row)\(String(repeating: " ", count: width - row.count))  \(label[invocation.language])")
      } else {
        try invocation.output.line(row)
      }
    }
  }

  static let names = [
    "autoLockSeconds", "lockOnBackground", "lockWithDesktop", "lockOnSleep", "biometricUnlock",
    "clipboardClearSeconds", "sharedUnlock", "language",
  ]

  private static let labels = [
    "autoLockSeconds": Localized("seconds without activity until the vault locks", "闲置多少秒后锁定"),
    "lockOnBackground": Localized("lock when no program is in front", "没有程序在前台时锁定"),
    "lockWithDesktop": Localized("lock with the desktop", "随桌面锁定"),
    "lockOnSleep": Localized("lock before the computer sleeps", "电脑睡眠前锁定"),
    "biometricUnlock": Localized("fingerprint unlock on bound devices", "在已绑定的设备上用指纹解锁"),
    "clipboardClearSeconds": Localized("seconds until the clipboard is cleared", "多少秒后清除剪贴板"),
    "sharedUnlock": Localized("whether other programs may use the unlocked vault", "其他程序能否使用已解锁的保险库"),
    "language": Localized("language of labels and messages", "字段名与消息的语言"),
    "copyTemplates.address": Localized("how an address is copied", "地址的复制模板"),
    "copyTemplates.invoice": Localized("how invoice details are copied", "开票信息的复制模板"),
    "copyTemplates.text": Localized("how a text is copied", "文本的复制模板"),
  ]

  private static func rows(_ settings: JSON) -> [(name: String, text: String)] {
    guard case .object(let members) = settings else { return [] }
    let plain = members.filter { $0.name != "copyTemplates" }.map {
      ($0.name, "\($0.name)=\(shown($0.value))")
    }
    guard case .object(let templates)? = settings["copyTemplates"] else { return plain }
    return plain
      + templates.map { ("copyTemplates.\($0.name)", "copyTemplates.\($0.name)=\(shown($0.value).oneLine)") }
  }

  private static func shown(_ value: JSON) -> String {
    switch value {
    case .bool(true): "on"
    case .bool(false), .null: "off"
    case .string(let text): text
    default: value.text
    }
  }

  /// The parameters of a change, from words such as `lockOnSleep=off`.
  private static func change(_ words: [String]) throws(Failure) -> JSON {
    var (members, templates): ([JSON.Member], [JSON.Member]) = ([], [])
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let first = parts[0].first, first.isASCII, first.isLetter else {
        throw .unexpectedArgument(word)
      }
      guard labels.keys.contains(parts[0]) else {
        throw .usage(
          Localized(
            "there is no setting \(parts[0]); qv settings shows all of them",
            "没有“\(parts[0])”这项设置：用 qv settings 查看全部设置"))
      }
      if parts[0].hasPrefix("copyTemplates.") {
        let name = String(parts[0].dropFirst("copyTemplates.".count))
        templates.append(.init(name, parts[1].isEmpty || parts[1] == "null" ? .null : .string(parts[1])))
      } else {
        members.append(.init(parts[0], value(parts[1], of: parts[0])))
      }
    }
    if !templates.isEmpty { members.append(.init("copyTemplates", .object(templates))) }
    return .object(members)
  }

  private static func value(_ word: String, of name: String) -> JSON {
    let isTime = name.hasSuffix("Seconds")
    switch word.lowercased() {
    case _ where name == "language" || name == "sharedUnlock": return .string(word)
    case "on", "yes", "true", "开": return true
    case "off", "no", "false", "关", "never", "null": return isTime ? .null : false
    default: return Int(word).map { .integer($0) } ?? .string(word)
    }
  }
}
