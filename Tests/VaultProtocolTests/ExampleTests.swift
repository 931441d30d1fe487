import Foundation
import JSON
import JSONRPC
import TestSupport
import Testing
import VaultProtocol

/// Every example of `protocol/openrpc.json` is read by its type, and written as it was.
@Suite("Examples of the OpenRPC document") struct ExampleTests {
  private static let requestTypes: [any VaultRequest.Type] = [
    Initialize.self, Discover.self, VaultStatus.self, VaultCreate.self, VaultVerify.self, VaultImport.self,
    VaultExport.self, VaultAcceptOlder.self, VaultBackup.self, VaultRepair.self, VaultMerge.self,
    VaultRekey.self,
    SyncStatusRequest.self, SyncEnable.self, SyncJoin.self, SyncNow.self, SyncDisable.self, SyncForget.self,
    SyncRejoin.self, AccountSignIn.self, AccountStatus.self, AccountSignOut.self, AccountProviders.self,
    AccountDeleteData.self,
    VaultChangePassword.self, VaultDelete.self, PasswordCheck.self, SessionUnlock.self, SessionLock.self,
    TemplateList.self,
    CardCreate.self, CardGet.self, CardUpdate.self, CardDelete.self, CardRestore.self, CardSetPinned.self,
    CardList.self, CardSearch.self, CardCopy.self, TagList.self, DraftPut.self, DraftGet.self,
    DraftDiscard.self,
    AttachmentAdd.self, AttachmentList.self, AttachmentGet.self, AttachmentThumbnail.self,
    AttachmentExport.self, AttachmentSetWatermark.self, AttachmentDelete.self, SettingsGet.self,
    SettingsUpdate.self, BiometricStatus.self, BiometricEnable.self, BiometricDisable.self, DeviceList.self,
    DeviceRevoke.self, LogList.self, ClientList.self, ClientRequestConsent.self, ClientRevoke.self,
  ]
  private static let notificationTypes: [any VaultNotification.Type] = [
    SessionDidLock.self, CardDidChange.self, ShowMessage.self, VaultProtocol.Progress.self,
    BiometricDidChangeState.self, SessionDidUnlock.self, SyncDidChange.self, AccountDidPrompt.self,
  ]

  /// The methods of the document by name.
  private static func methods() throws -> [String: JSON] {
    let data = try Data(contentsOf: Repository.protocolDirectory.appending(path: "openrpc.json"))
    guard case .array(let methods)? = try JSONReader.read(Array(data))["methods"] else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: methods.compactMap { method in
        method["name"]?.string.map { ($0, method) }
      })
  }

  private static func elements(_ value: JSON?) -> [JSON] {
    if case .array(let elements)? = value { elements } else { [] }
  }

  /// The parameters of an example, in one object.
  private static func parameters(_ example: JSON) -> JSON {
    .object(
      elements(example["params"]).compactMap { parameter in
        guard let name = parameter["name"]?.string, let value = parameter["value"] else { return nil }
        return JSON.Member(name, value)
      })
  }

  /// A value with its members sorted by name.
  private static func sorted(_ value: JSON) -> JSON {
    switch value {
    case .object(let members):
      .object(
        members.map { JSON.Member($0.name, sorted($0.value)) }.sorted { $0.name < $1.name })
    case .array(let elements): .array(elements.map(sorted))
    default: value
    }
  }

  @Test("Requests and answers", arguments: requestTypes.map { $0.method })
  func requests(name: String) throws {
    let type = try #require(Self.requestTypes.first { $0.method == name })
    let examples = Self.elements(try #require(Self.methods()[name])["examples"])
    #expect(!examples.isEmpty)
    for example in examples { try Self.check(type, example) }
  }

  private static func check<Request: VaultRequest>(_ type: Request.Type, _ example: JSON) throws {
    // The server has no use for the client's name.
    let given = parameters(example).without("clientInfo")
    let written = try Request.read(given).json
    #expect(written.includes(given))
    #expect(try Request.read(written).json == written)
    let answer = try #require(example["result"]?["value"])
    #expect(try sorted(Request.Answer.read(answer, at: "result").json) == sorted(answer))
  }

  @Test("Notifications", arguments: notificationTypes.map { $0.method })
  func notifications(name: String) throws {
    let type = try #require(Self.notificationTypes.first { $0.method == name })
    let examples = Self.elements(try #require(Self.methods()[name])["examples"])
    #expect(!examples.isEmpty)
    for example in examples {
      let given = Self.parameters(example)
      #expect(try Self.sorted(type.read(given, at: "params").json) == Self.sorted(given))
    }
  }

  @Test("The question to a client")
  func question() throws {
    let method = try #require(Self.methods()[SessionAdmit.method])
    let example = try #require(Self.elements(method["examples"]).first)
    let given = Self.parameters(example)
    #expect(try Self.sorted(SessionAdmit.read(given).json) == Self.sorted(given))
    let answer = try #require(example["result"]?["value"])
    #expect(try SessionAdmit.Answer.read(answer, at: "result").json == answer)
  }

  @Test("Every method and notification of the server has its type")
  func complete() throws {
    let described = try Self.methods().filter { $0.value["x-direction"]?.string != "clientToServer" }
    let known =
      Self.requestTypes.map { $0.method } + Self.notificationTypes.map { $0.method } + [
        "shutdown", SessionAdmit.method,
      ]
    #expect(Set(described.keys) == Set(known))
  }

  @Test("A client skips what a newer server adds; the server refuses what it does not know")
  func unknownMembers() throws {
    #expect(try SessionDidLock.read(["reason": "sleep", "since": 3], at: "params").reason == .sleep)
    #expect(throws: ParameterError("id2", .absence)) {
      try DeviceRevoke.read(["id": .string(Self.id), "id2": 1])
    }
  }

  private static let id = "7c20e5ab-91f4-4d36-a8c7-5b1e0f2d9346"
}

extension JSON {
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
