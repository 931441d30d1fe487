import Foundation
import TestSupport
import Testing

/// R14 Vaults of every version of the format can be read, by the program and by the independent reader.
@Suite("Golden vaults") struct GoldenVaultTests {
  /// The directory of the golden vaults; README.md there has their password.
  private static let directory = Repository.protocolDirectory.appending(path: "golden")
  private static let names = [
    "version-1", "version-1-histories", "version-1-attachments", "version-1-slots", "version-1-transactions",
    "version-1-versions",
  ]
  static let password = "三月的雨 and 42 umbrellas"

  private static func cards(_ name: String) throws -> [[String: any Sendable]] {
    let data = try Data(contentsOf: directory.appending(path: name + ".json"))
    return try #require(JSONSerialization.jsonObject(with: data) as? [[String: any Sendable]])
  }

  /// A copy of a golden vault, which is never opened itself.
  private static func copy(_ name: String, into directory: TemporaryDirectory) throws -> String {
    let path = directory.appending(name + ".quickvault")
    try FileManager.default.copyItem(
      atPath: Self.directory.appending(path: name + ".quickvault").path, toPath: path)
    return path
  }

  @Test("The independent reader prints the cards", arguments: names)
  func reader(_ name: String) async throws {
    let lines = try await onThread {
      let directory = try TemporaryDirectory()
      return try IndependentReader.cards(of: Self.copy(name, into: directory), password: Self.password)
    }
    #expect(lines as NSArray == (try Self.cards(name)) as NSArray)
  }

  @Test("The program reads the cards and settings, and finds the vault intact", arguments: names)
  func program(_ name: String) async throws {
    let expected = try Self.cards(name)
    let ids = try expected.map { try #require($0["id"] as? String) }
    let attachments = expected.reduce(0) { $0 + (($1["attachments"] as? [any Sendable])?.count ?? 0) }
    let answers = try await onThread { () -> [String] in
      let directory = try TemporaryDirectory()
      let program = try RunningProgram(Repository.program(), ["--vault", Self.copy(name, into: directory)])
      let requests =
        [
          #""session/unlock","params":{"password":"\#(Self.password)"}"#, #""settings/get""#,
          #""vault/verify""#,
          #""card/list""#, #""log/list""#,
        ] + ids.map { #""card/get","params":{"id":"\#($0)"}"# }
      return try requests.enumerated().map { index, request in
        try program.channel.send(#"{"jsonrpc":"2.0","id":\#(index),"method":\#(request)}"#)
        return try program.channel.message()
      }
    }
    #expect(answers[0].contains(#""integrity":"intact""#))
    #expect(answers[0].contains(#""cardCount":\#(expected.count),"#))
    #expect(answers[1].contains(#""autoLockSeconds":900"#))
    #expect(answers[1].contains(#""biometricUnlock":true"#))
    #expect(!answers[4].contains("settingsForged"))
    #expect(answers[1].contains(#""address":"{name} {phone}\n{province}{city}{district}{address}""#))
    #expect(
      answers[2].hasSuffix(
        #""result":{"cards":\#(expected.count),"attachments":\#(attachments),"damaged":[],"findings":[],"integrity":"intact"}}"#
      ))
    let listed = try result(answers[3])["items"] as? [[String: any Sendable]]
    #expect(listed?.map { $0["id"] as? String } == ids)
    for (answer, card) in zip(answers[5...], expected) {
      let given = try #require(try result(answer)["card"] as? [String: any Sendable])
      #expect(try IndependentReader.form(of: given) as NSDictionary == card as NSDictionary)
    }
  }

  @Test("The program answers the contents of attachments as in the source files")
  func contents() async throws {
    let name = "version-1-attachments"
    let sources = ["hopper.png": "pillow/hopper.png", "blankpage.pdf": "libvips/blankpage.pdf"]
    let attachments = try Self.cards(name).flatMap { $0["attachments"] as? [[String: any Sendable]] ?? [] }
    let answers = try await onThread { () -> [String: String] in
      let directory = try TemporaryDirectory()
      let program = try RunningProgram(Repository.program(), ["--vault", Self.copy(name, into: directory)])
      let unlock =
        #"{"jsonrpc":"2.0","id":0,"method":"session/unlock","params":{"password":"\#(Self.password)"}}"#
      try program.channel.send(unlock)
      _ = try program.channel.message()
      return try attachments.reduce(into: [:]) { answers, attachment in
        let (id, name) = (attachment["id"] as? String ?? "", attachment["name"] as? String ?? "")
        try program.channel.send(
          #"{"jsonrpc":"2.0","id":1,"method":"attachment/get","params":{"id":"\#(id)"}}"#)
        answers[name] = try program.channel.message()
      }
    }
    #expect(answers.count == 3)
    for (name, source) in sources {
      let file = Repository.top.appending(path: "Tests/ImagingTests/files/\(source)")
      let answer = try #require(answers[name])
      let data = try #require(result(answer)["data"] as? String)
      #expect(try Data(base64Encoded: data) == Data(contentsOf: file), "\(name)")
    }
    // The third is marked, and what is shown was drawn when the vault was made.
    #expect(try #require(answers["花.jpg"]).contains(#""mediaType":"image/jpeg""#))
  }

  private func result(_ answer: String) throws -> [String: any Sendable] {
    let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: any Sendable]
    return try #require(object?["result"] as? [String: any Sendable], "\(answer)")
  }
}
