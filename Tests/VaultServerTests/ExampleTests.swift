import Testing
import VaultInterface
import Wire

@testable import Service

/// Every example of `protocol/openrpc.json` is read by its type, and written as it was.
@Suite("Examples of the OpenRPC document") struct ExampleTests {
  static let notificationTypes: [any VaultNotification.Type] = [
    SessionDidLock.self, CardDidChange.self, ShowMessage.self, VaultInterface.Progress.self,
    BiometricDidChangeState.self, SessionDidUnlock.self, SyncDidChange.self, AccountDidPrompt.self,
  ]

  @Test("Requests and answers", arguments: Registry.methods.keys.sorted())
  func requests(name: String) throws {
    let type = try #require(Registry.methods[name]?.request as? any VaultRequest.Type)
    let examples = try Reference().examples(of: name)
    #expect(!examples.isEmpty)
    for example in examples { try Self.check(type, example) }
  }

  private static func check<Request: VaultRequest>(_ type: Request.Type, _ example: Reference.Example) throws
  {
    // The server has no use for the client's name.
    let given = example.parameters.without("clientInfo")
    let written = try Request.read(given).json
    #expect(written.includes(given))
    #expect(try Request.read(written).json == written)
    let answer = try #require(example.answer)
    #expect(try Request.Response.read(answer, at: "result").json.sorted == answer.sorted)
  }

  @Test("Notifications", arguments: notificationTypes.map { $0.method })
  func notifications(name: String) throws {
    let type = try #require(Self.notificationTypes.first { $0.method == name })
    let examples = try Reference().examples(of: name)
    #expect(!examples.isEmpty)
    for example in examples {
      let given = example.parameters
      #expect(try type.read(given, at: "params").json.sorted == given.sorted)
    }
  }

  @Test("The question to a client")
  func question() throws {
    let example = try #require(Reference().examples(of: SessionAdmit.method).first)
    #expect(try SessionAdmit.read(example.parameters).json.sorted == example.parameters.sorted)
    let answer = try #require(example.answer)
    #expect(try SessionAdmit.Response.read(answer, at: "result").json == answer)
  }
}

extension JSON {
  /// The value with its members sorted by name.
  fileprivate var sorted: JSON {
    switch self {
    case .object(let members):
      .object(members.map { JSON.Member($0.name, $0.value.sorted) }.sorted { $0.name < $1.name })
    case .array(let elements): .array(elements.map(\.sorted))
    default: self
    }
  }

  /// Whether all members of a value are in this one, which may have more: defaults are written, too.
  fileprivate func includes(_ part: JSON) -> Bool {
    guard case .object = self, case .object(let members) = part else { return self == part }
    return members.allSatisfy { self[$0.name]?.includes($0.value) ?? false }
  }

  fileprivate func without(_ name: String) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { $0.name != name })
  }
}
