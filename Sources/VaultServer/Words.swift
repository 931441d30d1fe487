import JSONRPC
import VaultModel

/// What the protocol's own faults are called, and what they are told as.
extension ProtocolFault {
  /// The stable name that `data.kind` carries.
  var kind: String {
    switch self {
    case .malformedJSON: "rpc.parseError"
    case .nestingTooDeep: "rpc.nestingTooDeep"
    case .frameTooLarge: "rpc.frameTooLarge"
    case .outOfTurn(.notInitialized): "rpc.notInitialized"
    case .invalidRequest, .outOfTurn: "rpc.invalidRequest"
    case .methodNotFound: "rpc.methodNotFound"
    case .invalidParameters: "rpc.invalidParameters"
    case .cancelled: "rpc.cancelled"
    case .internalError: "rpc.internalError"
    }
  }

  /// One sentence for a person.
  var words: Localized {
    switch self {
    case .malformedJSON:
      Localized(english: "This is not valid JSON in UTF-8.", simplifiedChinese: "这不是有效的 UTF-8 编码 JSON。")
    case .nestingTooDeep:
      Localized(
        english: "Arrays and objects nest deeper than 128 levels.", simplifiedChinese: "数组和对象的嵌套超过 128 层。")
    case .frameTooLarge:
      Localized(english: "The message is longer than 32 MiB.", simplifiedChinese: "消息超过 32 MiB。")
    case .invalidRequest(_, let fault): fault.words
    case .outOfTurn(let fault): fault.words
    case .methodNotFound(let name):
      Localized(english: "There is no method \(name.quoted).", simplifiedChinese: "没有名为 \(name.quoted) 的方法。")
    case .invalidParameters(let fault): fault.words
    case .cancelled: Localized(english: "The request was cancelled.", simplifiedChinese: "请求已取消。")
    case .internalError:
      Localized(english: "Something went wrong inside QuickVault.", simplifiedChinese: "随取内部出错。")
    }
  }
}

extension ProtocolFault.MessageFault {
  fileprivate var words: Localized {
    switch self {
    case .notAnObject:
      Localized(english: "A message must be a JSON object.", simplifiedChinese: "消息必须是 JSON 对象。")
    case .emptyBatch: Localized(english: "The batch is empty.", simplifiedChinese: "批量请求为空。")
    case .memberTwice:
      Localized(english: "A member of the message comes twice.", simplifiedChinese: "消息中有重复的成员。")
    case .version: Localized(english: "\"jsonrpc\" must be \"2.0\".", simplifiedChinese: "“jsonrpc”必须为 \"2.0\"。")
    case .method: Localized(english: "\"method\" must be a string.", simplifiedChinese: "“method”必须是字符串。")
    case .parameters:
      Localized(
        english: "\"params\" must be an object or an array.", simplifiedChinese: "“params”必须是对象或数组。")
    case .identifier:
      Localized(
        english: "\"id\" must be a string, a number or null.", simplifiedChinese: "“id”必须是字符串、数字或 null。")
    }
  }
}

extension ProtocolFault.LifecycleFault {
  fileprivate var words: Localized {
    switch self {
    case .notInitialized:
      Localized(english: "\"initialize\" must come first.", simplifiedChinese: "必须先发送“initialize”。")
    case .alreadyInitialized:
      Localized(english: "\"initialize\" may come only once.", simplifiedChinese: "“initialize”只能发送一次。")
    case .shutDown:
      Localized(
        english: "After \"shutdown\" only \"exit\" may follow.", simplifiedChinese: "“shutdown”之后只能发送“exit”。")
    }
  }
}

extension ParameterFault {
  /// One sentence for a person, naming the parameter.
  fileprivate var words: Localized {
    let (english, chinese) = (expectation.words.english, expectation.words.simplifiedChinese)
    return Localized(
      english: "Parameter \(parameter.quoted): \(english).", simplifiedChinese: "参数 \(parameter.quoted)：\(chinese)。")
  }
}

extension ParameterFault.Expectation {
  /// What was expected, to stand after the parameter's name.
  var words: Localized {
    switch self {
    case .string: Localized(english: "expected a string", simplifiedChinese: "应为字符串")
    case .boolean: Localized(english: "expected true or false", simplifiedChinese: "应为 true 或 false")
    case .integer: Localized(english: "expected an integer", simplifiedChinese: "应为整数")
    case .integerBetween(let low, let high):
      Localized(english: "expected an integer from \(low) to \(high)", simplifiedChinese: "应为 \(low) 到 \(high) 的整数")
    case .object: Localized(english: "expected an object", simplifiedChinese: "应为对象")
    case .array: Localized(english: "expected an array", simplifiedChinese: "应为数组")
    case .identifier: Localized(english: "expected a UUID", simplifiedChinese: "应为 UUID")
    case .token: Localized(english: "expected a string or an integer", simplifiedChinese: "应为字符串或整数")
    case .oneOf(let words):
      Localized(
        english: "expected one of " + words.joined(separator: ", "),
        simplifiedChinese: "应为以下之一：" + words.joined(separator: "、"))
    case .presence: Localized(english: "is required", simplifiedChinese: "必须提供")
    case .absence: Localized(english: "is not known", simplifiedChinese: "未知参数")
    case .absenceBeside(let other):
      Localized(
        english: "may not be given together with \(other.quoted)", simplifiedChinese: "不能与 \(other.quoted) 同时提供")
    case .once: Localized(english: "may be given only once", simplifiedChinese: "只能提供一次")
    case .atMost(let count):
      Localized(english: "may hold no more than \(count)", simplifiedChinese: "最多 \(count) 项")
    }
  }
}

extension String {
  /// The text between quotation marks, shortened where it is long: it came from the client and goes back to it.
  var quoted: String {
    let limit = 80
    return "\"" + (unicodeScalars.count > limit ? String(prefix(limit)) + "…" : self) + "\""
  }
}
