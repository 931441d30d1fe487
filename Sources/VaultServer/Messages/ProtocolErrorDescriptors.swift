import JSON
import JSONRPC
import VaultModel

extension ProtocolError: ApplicationError {
  var descriptor: ErrorDescriptor {
    switch self {
    case .malformedJSON:
      .init(code, "rpc.parseError", "This is not valid JSON in UTF-8.", "这不是有效的 JSON（UTF-8 编码）。")
    case .nestingTooDeep:
      .init(
        code, "rpc.nestingTooDeep",
        "Arrays and objects nest deeper than 128 levels.", "数组和对象的嵌套超过 128 层。")
    case .frameTooLarge:
      .init(code, "rpc.frameTooLarge", "The message is longer than 32 MiB.", "消息超过 32 MiB。")
    case .invalidRequest(_, let error): .init(code, "rpc.invalidRequest", error.message)
    case .lifecycle(let error):
      .init(code, error == .notInitialized ? "rpc.notInitialized" : "rpc.invalidRequest", error.message)
    case .methodNotFound(let name):
      .init(
        code, "rpc.methodNotFound", "There is no method \(name.quoted).", "没有名为\(name.quotedInChinese)的方法。")
    case .invalidParameters(let error):
      .init(
        code, "rpc.invalidParameters", error.message,
        [
          "parameter": .string(error.parameter),
          "expected": .string(error.expectation.message.english),
        ])
    case .answerTooLarge:
      .init(code, "rpc.responseTooLarge", "The response would be longer than 32 MiB.", "响应超过 32 MiB。")
    case .batchTooLarge:
      .init(
        code, "rpc.batchTooLarge",
        "The responses of this batch are longer than 32 MiB; this request was not executed.",
        "该批量请求的响应超过 32 MiB，此请求未执行。")
    case .cancelled: .init(code, "rpc.cancelled", "The request was cancelled.", "请求已取消。")
    case .internalError:
      .init(code, "rpc.internalError", "Something went wrong inside QuickVault.", "随取内部出错。")
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
  /// One sentence for the user, naming the parameter.
  fileprivate var message: Localized {
    let (english, chinese) = (expectation.message.english, expectation.message.simplifiedChinese)
    return Localized(
      "Parameter \(parameter.quoted): \(english).", "参数\(parameter.quotedInChinese)：\(chinese)。")
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
  var quoted: String { "\"\(shortened)\"" }

  /// The same between Chinese quotation marks.
  var quotedInChinese: String { "“\(shortened)”" }

  private var shortened: String {
    let limit = 80
    return unicodeScalars.count > limit ? String(prefix(limit)) + "…" : self
  }
}
