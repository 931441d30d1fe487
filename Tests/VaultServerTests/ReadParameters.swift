import Synchronization
import VaultInterface
import Wire

@testable import Service

/// The parameters that a request reads, observed while it reads examples.
struct ReadParameters {
  private var names: [String] = []
  private var asked: [String: [Parameters.Asked]] = [:]

  init<Request: VaultRequest>(_ type: Request.Type, _ examples: [JSON]) throws {
    for example in examples {
      let questions = Mutex<[Parameters.Asked]>([])
      var parameters = try Parameters(example)
      parameters.recorder = { question in questions.withLock { $0.append(question) } }
      _ = try Request.coder.read(&parameters)
      for question in questions.withLock({ $0 }) {
        if asked[question.name] == nil { names.append(question.name) }
        asked[question.name, default: []].append(question)
      }
    }
  }

  /// A pinentry can supply the parameters with prompts, if a further one asks for it.
  func described(prompts: [PinentryPrompt]) -> [JSON] {
    let method = prompts.isEmpty || names.contains("method") ? [] : ["method"]
    return (names + method).map { name in
      let questions = asked[name] ?? []
      let types = questions.filter { $0.type != nil }
      let isSupplied = prompts.contains { $0.parameter == name }
      let isRequired = !types.isEmpty && types.allSatisfy(\.isRequired) && !isSupplied
      let type =
        types.isEmpty
        ? TypeName(text: "Method", words: ["Method": ["password"]]) : TypeName(types.first?.type)
      var members: [JSON.Member] = [
        .init("name", .string(name)), .init("required", .bool(isRequired)),
        .init("type", .string(type.text)),
        .init("words", .object(type.words.map { .init($0.key, .array($0.value.map { .string($0) })) })),
      ]
      switch questions.compactMap(\.expectation).first {
      case .integerBetween(let low, let high): members.append(.init("range", .string(" \(low)…\(high)")))
      case .atMost(let limit): members.append(.init("range", .string(" …\(limit)")))
      default: break
      }
      let isMethod = type.words["Method"] != nil
      if let initial = isMethod ? "password" : questions.compactMap(\.initial).first {
        members.append(.init("default", initial))
      }
      return .object(members)
    }
  }
}

/// The name of a type as `protocol/interface` writes it, and the values of the enumerations in it.
struct TypeName {
  var text: String
  var words: [String: [String]] = [:]

  init(text: String, words: [String: [String]]) {
    (self.text, self.words) = (text, words)
  }

  init(_ type: Any.Type?) {
    switch type {
    case is String.Type: text = "string"
    case is Bool.Type: text = "boolean"
    case is Int.Type: text = "integer"
    case is JSON.Type: text = "any"
    case is Identifier.Type: text = "CardId"
    case is Timestamp.Type: text = "Time"
    case let type as any Container.Type:
      let content = TypeName(type.content)
      (text, words) = (type.text(around: content.text), content.words)
    case let type as any (CaseIterable & RawRepresentable).Type:
      text = "\(type)"
      words = [text: Self.words(of: type)]
    case let type?: text = "\(type)"
    case nil: text = "any"
    }
  }

  private static func words<Word: CaseIterable & RawRepresentable>(of type: Word.Type) -> [String] {
    Word.allCases.map { "\($0.rawValue)" }
  }
}

private protocol Container {
  static var content: Any.Type { get }
  static func text(around content: String) -> String
}

extension Optional: Container {
  fileprivate static var content: Any.Type { Wrapped.self }
  fileprivate static func text(around content: String) -> String { "\(content) | null" }
}

extension Array: Container {
  fileprivate static var content: Any.Type { Element.self }
  fileprivate static func text(around content: String) -> String { "[\(content)]" }
}

extension Dictionary: Container {
  fileprivate static var content: Any.Type { Value.self }
  fileprivate static func text(around content: String) -> String { "{\(content)}" }
}
