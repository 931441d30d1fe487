import VaultInterface
import Wire

extension ProtocolError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .invalidRequest(_, let error): .init(kind, words: ["problem": error.message])
    case .lifecycle(let error): .init(kind, words: ["problem": error.message])
    case .methodNotFound(let name): .init(kind, words: ["method": Localized(verbatim: name)])
    case .invalidParameters(let error):
      .init(
        kind,
        ["parameter": .string(error.parameter), "expected": .string(error.expectation.message.english)],
        words: ["problem": error.message])
    default: .init(kind)
    }
  }
}

extension ProtocolError.MessageError {
  fileprivate var message: Localized {
    switch self {
    case .notAnObject:
      Localized("A message must be a JSON object.", "消息必须是 JSON 对象。")
    case .emptyBatch: Localized("The batch is empty.", "批量请求为空。")
    case .batchTooLong:
      Localized("The batch has more than 10,000 messages.", "批量请求超过 10,000 条消息。")
    case .memberTwice:
      Localized("A member of the message is repeated.", "消息中有重复的成员。")
    case .version: Localized("\"jsonrpc\" must be \"2.0\".", "“jsonrpc”必须为“2.0”。")
    case .method: Localized("\"method\" must be a string.", "“method”必须是字符串。")
    case .parameters:
      Localized(
        "\"params\" must be an object or an array.", "“params”必须是对象或数组。")
    case .identifier:
      Localized(
        "\"id\" must be a string, a number or null.", "“id”必须是字符串、数字或 null。")
    }
  }
}

extension ProtocolError.LifecycleError {
  fileprivate var message: Localized {
    switch self {
    case .notInitialized:
      Localized("\"initialize\" must come first.", "必须先发送“initialize”。")
    case .alreadyInitialized:
      Localized("\"initialize\" may come only once.", "“initialize”只能发送一次。")
    case .shutDown:
      Localized(
        "After \"shutdown\" only \"exit\" may follow.", "“shutdown”之后只能发送“exit”。")
    }
  }
}

extension ParameterError {
  /// The words of the screen for the parameters that people type, beside those of settings.
  private static let labels = [
    "group": CardTemplate.groupLabel, "type": Localized("Type", "类型"),
    "limit": Localized("The number of results", "结果数量"), "keep": Localized("The number of backups", "备份数量"),
    "address": Localized("The address of the server", "服务器网址"), "issuer": Localized("The provider", "登录服务"),
  ]

  /// One sentence for the user, naming the parameter.
  fileprivate var message: Localized {
    let (english, chinese) = (expectation.message.english, expectation.message.simplifiedChinese)
    if let label = Self.labels[parameter] ?? Setting(rawValue: parameter)?.quotedLabel,
      english.hasPrefix("expected ")
    {
      return Localized(
        "\(label.english) must be \(english.dropFirst("expected ".count)).",
        "\(label.simplifiedChinese)\(chinese)。")
    }
    return Localized(
      "Parameter \(parameter.quoted): \(english).", "参数\(parameter.quotedInChinese)：\(chinese)。")
  }
}

extension Setting {
  fileprivate var quotedLabel: Localized {
    Localized(description.label.english.quoted, description.label.simplifiedChinese.quotedInChinese)
  }
}

extension ParameterError.Expectation {
  /// The expectation, as text to follow the parameter's name.
  var message: Localized {
    switch self {
    case .string: Localized("expected a string", "应为字符串")
    case .url:
      Localized(
        "expected a URL with https, such as https://cloud.example.org",
        "应为 https 网址，例如 https://cloud.example.org")
    case .boolean: Localized("expected true or false", "应为 true 或 false")
    case .integer: Localized("expected an integer", "应为整数")
    case .integerBetween(let low, let high):
      Localized("expected an integer from \(low) to \(high)", "应为 \(low) 到 \(high) 的整数")
    case .object: Localized("expected an object", "应为对象")
    case .array: Localized("expected an array", "应为数组")
    case .base64: Localized("expected Base64", "应为 Base64")
    case .identifier: Localized("expected a UUID", "应为 UUID")
    case .token: Localized("expected a string or an integer", "应为字符串或整数")
    case .oneOf(let words):
      Localized(
        "expected one of " + words.joined(separator: ", "),
        "应为以下之一：" + words.joined(separator: "、"))
    case .presence: Localized("required", "必须提供")
    case .absence: Localized("unknown", "没有此参数")
    case .absenceWith(let other):
      Localized(
        "not allowed together with \(other.quoted)", "不能与\(other.quotedInChinese)同时提供")
    case .once: Localized("given more than once", "只能提供一次")
    case .atMost(let count):
      Localized("at most \(count) characters", "最多 \(count) 个字符")
    }
  }
}

extension String {
  /// The text between quotation marks, shortened where it is long: it came from the client and goes back to it.
  var quoted: String { "\"\(ErrorKind.shortened(self))\"" }

  /// The same between Chinese quotation marks.
  var quotedInChinese: String { "“\(ErrorKind.shortened(self))”" }
}
