import Foundation
import TestSupport
import Testing

/// R10, R14 The program finds in each vault of the testkit what its description says; README.md there explains them.
@Suite("Testkit") struct TestkitTests {
  private static let files = Repository.protocolDirectory.appending(path: "testkit/files")
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? [])
    .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()

  @Test("There are scenarios") func number() {
    #expect(Self.names.count > 150)
  }

  @Test("The program finds the outcome, the cards and the damage", arguments: names)
  func program(_ name: String) async throws {
    let data = try Data(contentsOf: Self.files.appending(path: name + ".json"))
    let said = try #require(JSONSerialization.jsonObject(with: data) as? [String: any Sendable])
    let cards = said["cards"] as? [[String: any Sendable]]
    let ids = try (cards ?? []).map { try #require($0["id"] as? String) }
    let answers = try await Self.answers(
      name,
      [("session/unlock", ["password": said["password"] as? String ?? ""]), ("vault/verify", [:])]
        + [("card/list", ["limit": 100]), ("settings/get", [:])] + ids.map { ("card/get", ["id": $0]) })

    let outcome = try Self.outcome(answers[0], answers[1])
    #expect(outcome == said["outcome"] as? String)
    guard let cards, let verification = answers[1]["result"] as? [String: any Sendable] else { return }
    if let damaged = said["damaged"] as? [String] {
      #expect(verification["damaged"] as? [String] == damaged)
    }
    let items = (answers[2]["result"] as? [String: any Sendable])?["items"] as? [[String: any Sendable]]
    #expect(items?.map { $0["id"] as? String } == ids)
    for (answer, card) in zip(answers[4...], cards) {
      let result = try #require(answer["result"] as? [String: any Sendable], "\(answer)")
      let given = try #require(result["card"] as? [String: any Sendable])
      #expect(try IndependentReader.form(of: given) as NSDictionary == card as NSDictionary)
    }
    let settings = (answers[3]["result"] as? [String: any Sendable])?["settings"] as? [String: any Sendable]
    let language = (said["settings"] as? [String: any Sendable])?["language"] as? String
    #expect(settings?["language"] as? String == (language == "zh-Hans" ? language : "auto"))
  }

  /// The class of what the program says of a vault: by its error, or by the verification of everything in it.
  private static func outcome(
    _ unlock: [String: any Sendable], _ verification: [String: any Sendable]
  ) throws -> String {
    if let error = unlock["error"] as? [String: any Sendable] {
      let kind = try #require((error["data"] as? [String: any Sendable])?["kind"] as? String)
      return [
        "vault.notAVault": "not-a-vault", "vault.newerVersion": "newer-version",
        "vault.unsupportedParameters": "unsupported-parameters", "auth.wrongPassword": "wrong-password",
        "vault.damaged": "damaged",
      ][kind] ?? kind
    }
    let result = try #require(verification["result"] as? [String: any Sendable], "\(verification)")
    return try #require(result["integrity"] as? String)
  }

  /// Gives a copy of a scenario's files to the program, and asks it.
  private static func answers(
    _ name: String, _ requests: [(method: String, parameters: [String: any Sendable])]
  ) async throws -> [[String: any Sendable]] {
    try await onThread {
      let directory = try TemporaryDirectory()
      for ending in ["", "-wal", "-journal"] {
        let kept = files.appending(path: "\(name).quickvault\(ending).gz").path
        guard FileManager.default.fileExists(atPath: kept) else { continue }
        let target = directory.appending("vault\(ending)")
        let (_, error, status) = try run(
          "/bin/sh", ["-c", #"exec gzip -dc "$1" > "$2""#, "sh", kept, target], input: "")
        guard status == 0 else { throw Failure("gzip: \(error)") }
      }
      let program = try RunningProgram(Repository.program(), ["--vault", directory.appending("vault")])
      return try requests.enumerated().map { index, request in
        let message: [String: any Sendable] = [
          "jsonrpc": "2.0", "id": index, "method": request.method, "params": request.parameters,
        ]
        try program.channel.send(
          String(decoding: JSONSerialization.data(withJSONObject: message), as: UTF8.self))
        while true {
          let answer = try JSONSerialization.jsonObject(with: Data(program.channel.message().utf8))
          guard let answer = answer as? [String: any Sendable] else { throw Failure("no object") }
          if answer["id"] as? Int == index { return answer }
        }
      }
    }
  }
}
