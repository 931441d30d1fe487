import Foundation

/// A client of the built program for tests that care for results more than for bytes.
public final class ProgramClient {
  /// The password of the vaults that tests make.
  public static let password = "三月的雨 and 42 umbrellas"

  /// The program.
  public let program: RunningProgram
  /// Notifications that came so far, by their method.
  public private(set) var notifications: [String] = []
  private var lastIdentifier = 0

  /// Starts the program on a vault.
  ///
  /// - Parameter command: the built program, unless it is a copy of it, or a command that ends in it.
  public init(
    vault: String, command: [String]? = nil, environment: [String: String] = [:], framing: Framing = .lines
  ) throws {
    let command = try command ?? [Repository.program()]
    program = try RunningProgram(
      command[0], command.dropFirst() + ["--vault", vault], environment: environment, framing: framing)
    guard framing == .headers else { return }
    _ = try call("initialize", #"{"processId":null}"#)
    try program.channel.send(#"{"jsonrpc":"2.0","method":"initialized"}"#)
  }

  /// A client of a program that runs already, one message a line.
  public init(_ program: RunningProgram) {
    self.program = program
  }

  /// Sends a request.
  ///
  /// - Returns: the complete answer, unchanged.
  public func answer(_ method: String, _ parameters: String = "{}") throws -> String {
    lastIdentifier += 1
    let head = #"{"jsonrpc":"2.0","id":\#(lastIdentifier),"#
    try program.channel.send(head + #""method":"\#(method)","params":\#(parameters)}"#)
    while true {
      let message = try program.channel.message()
      if message.hasPrefix(head) { return message }
      let object = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: Any]
      guard let notification = object?["method"] as? String else {
        throw Failure("not a notification: \(message)")
      }
      notifications.append(notification)
    }
  }

  /// Sends a request that must succeed.
  ///
  /// - Returns: its result; empty for null.
  @discardableResult public func call(_ method: String, _ parameters: String = "{}") throws -> [String:
    any Sendable]
  {
    let answer = try answer(method, parameters)
    let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: any Sendable]
    guard object?["error"] == nil else { throw Failure("\(method): \(answer)") }
    return object?["result"] as? [String: any Sendable] ?? [:]
  }

  /// Sends a request, written by Foundation, that must succeed.
  ///
  /// - Returns: its result; empty for null.
  @discardableResult public func call(_ method: String, with parameters: [String: Any]) throws -> [String:
    any Sendable]
  {
    // Foundation would write a slash as an escape, and a password must reach the program as it is.
    let bytes = try JSONSerialization.data(withJSONObject: parameters, options: .withoutEscapingSlashes)
    return try call(method, String(decoding: bytes, as: UTF8.self))
  }

  /// Sends a request that must fail.
  ///
  /// - Returns: the error's kind.
  public func kindOfError(_ method: String, _ parameters: String = "{}") throws -> String {
    let answer = try answer(method, parameters)
    let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: any Sendable]
    let error = object?["error"] as? [String: any Sendable]
    guard let kind = (error?["data"] as? [String: any Sendable])?["kind"] as? String else {
      throw Failure("\(method): \(answer)")
    }
    return kind
  }

  /// Waits for a notification that comes by itself, at the most for the channel's time.
  ///
  /// - Returns: its parameters.
  @discardableResult public func notification(_ method: String) throws -> [String: any Sendable] {
    while true {
      let message = try program.channel.message()
      let object = try JSONSerialization.jsonObject(with: Data(message.utf8)) as? [String: any Sendable]
      guard let name = object?["method"] as? String else { throw Failure("not a notification: \(message)") }
      notifications.append(name)
      if name == method { return object?["params"] as? [String: any Sendable] ?? [:] }
    }
  }

  /// Makes the vault, with the quickest key derivation that is allowed.
  public func createVault(password: String = ProgramClient.password) throws {
    try call(
      "vault/create",
      #"{"password":"\#(password)","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}}"#)
  }

  /// Unlocks the vault.
  public func unlock(password: String = ProgramClient.password) throws {
    try call("session/unlock", #"{"password":"\#(password)"}"#)
  }

  /// Stores a card.
  ///
  /// - Returns: its id.
  public func createCard(_ parameters: [String: Any]) throws -> String {
    let card = try call("card/create", with: parameters)["card"] as? [String: any Sendable]
    guard let id = card?["id"] as? String else { throw Failure("a card without id") }
    return id
  }

  /// Stores a text card.
  ///
  /// - Returns: its id.
  @discardableResult public func createNote(_ title: String, _ text: String = "text") throws -> String {
    try createCard(["title": title, "group": "personal", "type": "text", "fields": ["text": text]])
  }
}
