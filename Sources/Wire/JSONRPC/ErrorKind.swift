import CResources

/// A row of the catalogue of errors (R17), `protocol/interface/errors.txt`: what the programs know of one kind, beside the values of one error.
///
/// A text can have places in braces, such as `{limit}`. An ellipsis, as in `{name…}`, shortens a long value there.
package struct ErrorKind: Sendable {
  /// A text in English and in Simplified Chinese.
  package typealias Text = (english: String, chinese: String)

  /// The stable name, which is `data.kind` on the wire.
  package let name: String
  /// The number on the wire, which is never given to another error.
  package let code: Int
  /// The exit status of `qv`.
  package let exitStatus: Int32
  /// Whether only the answer carries it, without a notification to show.
  package let isSilent: Bool
  /// The members of the error's data beyond kind and messages, with their types as `protocol/interface` writes them.
  package let data: [(name: String, type: String)]
  /// Parts of the text that depend on the reason, for the place `{reason}`; that of the name "" is for all others.
  package let reasons: [(name: String, text: Text)]
  private let text: Text

  /// Returns one sentence for the user.
  ///
  /// - Parameter words: the values for the places of the text.
  package func message(reason: String?, _ words: [String: Text]) -> Text {
    let reason = (reasons.first { $0.name == reason } ?? reasons.first { $0.name.isEmpty })?.text
    let message = reason.map { Self.filled(text, ["reason": $0]) } ?? text
    return Self.filled(message, words)
  }

  private static func filled(_ text: Text, _ words: [String: Text]) -> Text {
    (filled(text.english, words.mapValues(\.english)), filled(text.chinese, words.mapValues(\.chinese)))
  }

  private static func filled(_ text: String, _ words: [String: String]) -> String {
    var (result, rest) = ("", text[...])
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      let place = rest[rest.utf8.index(after: start)..<end]
      let isShortened = place.last == "…"
      let word = words[String(isShortened ? place.dropLast() : place)]
      result += rest[..<start] + (word.map { isShortened ? shortened($0) : $0 } ?? "{\(place)}")
      rest = rest[rest.utf8.index(after: end)...]
    }
    return result + rest
  }

  package static func shortened(_ text: String) -> String {
    let limit = 80
    return text.unicodeScalars.count > limit ? String(text.prefix(limit)) + "…" : text
  }

  /// The name of an enumeration's case, without its values.
  package static func caseName(_ value: Any) -> String {
    Mirror(reflecting: value).children.first?.label ?? "\(value)"
  }
}

extension ErrorKind {
  /// Reads a block of the catalogue; nil for what comes before the first.
  private init?(_ block: ArraySlice<Substring>) {
    let words = block.first?.split(separator: " ") ?? []
    guard words.count > 2, words[0] == "error", let code = Int(words[2]) else { return nil }
    var text: Text = ("{reason}", "{reason}")
    var (data, reasons) = ([(name: String, type: String)](), [(name: String, text: Text)]())
    var (reason, lines) = (String?.none, block.dropFirst())
    while let line = lines.popFirst() {
      if line.hasPrefix("- ") {
        let member = line.dropFirst(2)
        let name = member.prefix { $0 != " " && $0 != ":" }
        data.append((String(name), String(member[name.endIndex...].drop { $0 == " " })))
      } else if line == "reason" || line.hasPrefix("reason ") {
        reason = String(line.dropFirst("reason ".count))
      } else if let chinese = lines.popFirst() {
        let read: Text = (String(line), String(chinese))
        if let reason { reasons.append((reason, read)) } else { text = read }
      }
    }
    self.init(
      name: String(words[1]), code: code, exitStatus: words.dropFirst(3).first.flatMap { Int32($0) } ?? 1,
      isSilent: words.last == "silent", data: data, reasons: reasons, text: text)
  }

  /// All that a client can get, and those of `quickvault-carrier` and of editors, in the order of the catalogue.
  package static let all = unsafe String(resource: quickvault_errors(), quickvault_errors_count()).utf8
    .split(separator: 0x0A, omittingEmptySubsequences: false).map { Substring($0) }
    .split(whereSeparator: \.isEmpty).compactMap { ErrorKind($0) }

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  /// Returns the row of a kind; nil for one that this program does not know.
  package static func named(_ name: String) -> ErrorKind? { byName[name] }
}

/// The error of a response (JSON-RPC 2.0, section 5.1).
package struct ResponseError: Error, Sendable, Hashable {
  /// -32768 to -32000 are reserved by the specification; the application uses 1001 and up.
  package var code: Int
  /// One sentence for the user.
  package var message: String
  package var data: JSON?

  package init(code: Int, message: String, data: JSON? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  var json: JSON {
    let members: [JSON.Member] = [.init("code", .integer(code)), .init("message", .string(message))]
    return .object(members + (data.map { [JSON.Member("data", $0)] } ?? []))
  }
}

/// An error that JSON-RPC and the lifecycle define. The program supplies the text of the message.
package enum ProtocolError: Error, Sendable, Hashable {
  /// The frame is not JSON.
  case malformedJSON
  /// Arrays and objects lie more than ``JSONReader/nestingLimit`` deep.
  case nestingTooDeep
  /// The frame is longer than ``ConnectionLimits/message``.
  case frameTooLarge
  /// The JSON is not a JSON-RPC 2.0 message; the id is null if it is not valid.
  case invalidRequest(id: RequestIdentifier, MessageError)
  case lifecycle(LifecycleError)
  case methodNotFound(String)
  case invalidParameters(ParameterError)
  /// The answer would be longer than ``Connection/answerLimit``.
  case answerTooLarge
  /// The answers to the requests before it in the batch have reached ``ConnectionLimits/batch``; it was not begun.
  case batchTooLarge
  case cancelled
  /// The program failed unexpectedly.
  case internalError

  /// Why a JSON value is not a message.
  package enum MessageError: String, Sendable, Hashable {
    /// It is neither an object nor an array of objects.
    case notAnObject
    case emptyBatch
    /// It is an array with more than ``Connection/batchLimit`` messages.
    case batchTooLong
    /// A member is repeated.
    case memberTwice
    /// `jsonrpc` is not `"2.0"`.
    case version
    /// `method` is not a string, or missing where there is no answer either.
    case method
    /// `params` is neither an object nor an array.
    case parameters
    /// `id` is not a string, a number or null.
    case identifier
  }

  /// Why a request is not allowed at this stage of the lifecycle.
  package enum LifecycleError: String, Sendable, Hashable {
    /// With headers, `initialize` comes first.
    case notInitialized
    /// `initialize` was answered before.
    case alreadyInitialized
    /// After `shutdown` only `exit` follows.
    case shutDown
  }

  /// The name of its row in the catalogue.
  package var kind: String {
    switch self {
    case .malformedJSON: "rpc.parseError"
    case .lifecycle(.notInitialized): "rpc.notInitialized"
    case .invalidRequest, .lifecycle: "rpc.invalidRequest"
    case .methodNotFound: "rpc.methodNotFound"
    case .invalidParameters: "rpc.invalidParameters"
    case .answerTooLarge: "rpc.responseTooLarge"
    case .nestingTooDeep, .frameTooLarge, .batchTooLarge, .cancelled, .internalError: "rpc.\(self)"
    }
  }

  package var row: ErrorKind? { ErrorKind.named(kind) }
  package var code: Int { row?.code ?? -32603 }

  /// The id of the answer.
  var identifier: RequestIdentifier {
    if case .invalidRequest(let id, _) = self { id } else { .null }
  }
}

/// Why a stream cannot be split into frames any more, so that the connection is closed.
package enum StreamError: String, Error, Hashable, Sendable {
  /// A header line is not `name: value`.
  case malformedHeader
  /// The headers ended without `Content-Length`.
  case missingLength
  /// `Content-Length` is not a number that fits 63 bits, or was given twice with different numbers.
  case malformedLength
  /// The headers go on for more than 16 KiB.
  case headerTooLong
  /// The stream ended inside a frame.
  case truncated

  /// The message for standard error.
  package var description: String {
    switch self {
    case .malformedHeader: "a header line is not of the form \"Content-Length: 123\""
    case .missingLength: "the headers end without Content-Length"
    case .malformedLength: "Content-Length is not one number that can be followed"
    case .headerTooLong: "the headers go on for more than 16 KiB"
    case .truncated: "the input ends inside a message"
    }
  }
}

/// Why a connection was closed.
package enum CloseReason: Sendable, Hashable {
  /// The client sent `exit`.
  case exit(afterShutdown: Bool)
  /// The input ended.
  case endOfInput(Framing?, afterShutdown: Bool)
  /// The input cannot be split into frames.
  case broken(StreamError)
  /// The program stopped it: on a signal, or because the client's process is gone.
  case stopped
  /// The client does not read the answers.
  case unreadable
  /// A new process continues from this state.
  case handedOff(StreamState, Stage)
}

/// The stage of the lifecycle.
package enum Stage: String, Sendable, Hashable {
  /// `initialize` has not been answered.
  case fresh
  /// `initialize` has been answered.
  case initialized
  /// `shutdown` has been answered.
  case shutDown

  /// Checks that a request is allowed at this stage. With headers, `initialize` comes first; with lines it is optional.
  func admit(_ method: String, framing: Framing?) throws(ProtocolError) {
    switch self {
    case .fresh:
      guard method == "initialize" || framing == .lines else { throw .lifecycle(.notInitialized) }
    case .initialized:
      guard method != "initialize" else { throw .lifecycle(.alreadyInitialized) }
    case .shutDown: throw .lifecycle(.shutDown)
    }
  }
}
