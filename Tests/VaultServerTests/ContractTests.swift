import Foundation
import TestSupport
import Testing
import VaultInterface
import Wire

@testable import Service

/// The program agrees with `protocol/openrpc.json`.
@Suite("The OpenRPC document") struct ContractTests {
  /// A method or notification as the document has it.
  private struct Described: Decodable {
    let name: String
    let direction: String?
    let needsUnlock: Bool

    enum CodingKeys: String, CodingKey {
      case name
      case direction = "x-direction"
      case needsUnlock = "x-needsUnlock"
    }
  }

  private struct Document: Decodable {
    let methods: [Described]
  }

  private static func described() throws -> [Described] {
    let data = try Data(contentsOf: Repository.protocolDirectory.appending(path: "openrpc.json"))
    return try JSONDecoder().decode(Document.self, from: data).methods
  }

  /// What the connection answers before it asks the registry.
  private static let answeredByTheConnection: Set<String> = ["shutdown"]

  @Test("The registered methods are the described ones")
  func sameMethods() throws {
    let described = try Self.described().filter { $0.direction == nil }.map(\.name)
    let registered = Set(Registry.methods.keys)
    #expect(registered.union(Self.answeredByTheConnection) == Set(described))
    #expect(registered.isDisjoint(with: Self.answeredByTheConnection))
  }

  @Test("The notifications to the client are the described ones")
  func sameNotifications() throws {
    let described = try Self.described().filter { $0.direction == "serverToClient" }.map(\.name)
    #expect(Set(ExampleTests.notificationTypes.map { $0.method } + [SessionAdmit.method]) == Set(described))
  }

  @Test("R10 Exactly the methods that need an unlocked vault refuse a locked one")
  func sameLocks() async throws {
    let requests = try Self.described().filter {
      $0.direction == nil && !["initialize", "shutdown"].contains($0.name)
    }
    let refused = try await onThread { try Self.refusedWhileLocked(requests.map(\.name)) }
    #expect(refused == Set(requests.filter(\.needsUnlock).map(\.name)))
  }

  /// Calls methods on a locked vault, with the parameters of their first example.
  private static func refusedWhileLocked(_ methods: [String]) throws -> Set<String> {
    let reference = try Reference()
    let directory = try TemporaryDirectory()
    let time = ControlledTime()
    let vault = directory.appending("vault.quickvault")
    try FileManager.default.copyItem(
      atPath: Repository.protocolDirectory.appending(path: "golden/version-1.quickvault").path, toPath: vault)
    let configuration = Server.Configuration(
      vault: vault, locale: "C", clock: time, makeTimer: time.makeTimer)
    let server = try InProcessServer(configuration, framing: .lines)
    var refused: Set<String> = []
    for method in methods {
      let example = try #require(reference.examples(of: method).first)
      // The examples have the password of the golden vault.
      let given = example.parameters.text.replacing(ProgramClient.password, with: "a wrong password")
      try server.channel.send(
        #"{"jsonrpc":"2.0","id":"\#(method)","method":"\#(method)","params":\#(given)}"#)
      var answer = ""
      repeat { answer = try server.channel.message() } while !answer.contains(#""id":"\#(method)""#)
      guard !answer.contains(#""error":{"code":-32602,"#) else { throw Failure("\(method): \(answer)") }
      if answer.contains(#""error":{"code":1003,"#) { refused.insert(method) }
    }
    return refused
  }

  @Test("rpc.discover answers the document of the source tree")
  func discover() async throws {
    let answer = try await onThread {
      let program = try RunningProgram(Repository.program(), ["--vault", "/nowhere/vault"])
      try program.channel.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#)
      return try program.channel.message()
    }
    let data = try Data(contentsOf: Repository.protocolDirectory.appending(path: "openrpc.json"))
    let document = try JSONReader.read(Array(data))
    #expect(try JSONReader.read(Array(answer.utf8))["result"] == document)
  }

  @Test("The document and its examples pass every check")
  func document() async throws {
    let problems = try await onThread { try CheckScript.problemsOfDocument() }
    #expect(problems.isEmpty, "\(problems)")
  }
}
