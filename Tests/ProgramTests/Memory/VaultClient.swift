import Foundation
import TestSupport

/// A client of the built program that asks one thing after another.
final class VaultClient {
  let program: RunningProgram
  private var last = 0

  /// Starts the built program, or a command that ends in it.
  init(vault: String, command: [String]? = nil) throws {
    let command = try command ?? [Repository.program()]
    program = try RunningProgram(command[0], command.dropFirst() + ["--vault", vault])
  }

  /// Asks, and gives the result; notices are passed over.
  @discardableResult func ask(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    last += 1
    let request: [String: Any] = ["jsonrpc": "2.0", "id": last, "method": method, "params": parameters]
    try program.channel.send(Self.text(request))
    while true {
      let message = try Self.object(program.channel.message())
      guard message["id"] as? Int == last else { continue }
      guard message["error"] == nil else { throw Failure("\(method) was refused: \(message)") }
      return message["result"] as? [String: Any] ?? [:]
    }
  }

  /// Makes the vault with the quickest key derivation that is allowed.
  func create(password: String) throws {
    try ask(
      "vault/create",
      [
        "password": password,
        "kdf": ["algorithm": "pbkdf2-hmac-sha256", "iterations": 100_000] as [String: Any],
      ])
  }

  /// Stores a card, and gives its id.
  func createCard(_ parameters: [String: Any]) throws -> String {
    let card = try ask("card/create", parameters)["card"] as? [String: Any]
    guard let id = card?["id"] as? String else { throw Failure("no card came back") }
    return id
  }

  private static func text(_ object: [String: Any]) throws -> String {
    // Foundation would write a slash as an escape, and a password must reach the program as it is.
    String(
      decoding: try JSONSerialization.data(withJSONObject: object, options: .withoutEscapingSlashes),
      as: UTF8.self)
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}
