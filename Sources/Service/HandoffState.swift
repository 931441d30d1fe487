import HelperProtocols
import Vault
package import Wire

/// The state that is handed off to the next process at a lock: the conversations and their unread input, but nothing of
/// the vault's content.
public struct HandoffState: Sendable {
  /// What belongs to the vault.
  struct Vault: Sendable {
    var demo: DemoVault?
    var fingerprintFailures = 0
    /// ``DesktopLink/canOpenVaults``.
    var fingerprintCanOpenVaults = false
    var attempts: UnstoredAttempts?
    var admissions = AdmissionList()
    var strangers = StrangerLimits()
    var agents = AgentPermissions()
    /// The account that waits for a vault.
    var account: Account?
    /// The pass to run while the vault is locked.
    var lockedMirror: LockedMirror?
    /// ``AccountService/proxies``.
    var proxies: [String: String]?
    /// The replacement of tokens that runs.
    var tokens: TokenRefresh.HandedOff?
  }

  /// What belongs to a client.
  struct Client: Sendable {
    var stage = Stage.fresh
    var locale: String?
    var process: Int?
    var isInBackground = false
    var answersConsent = false
    var editor: Editor?
    var origin: ClientOrigin?
    /// The display and terminal of a client on a socket.
    var environment: [String: String]?
    /// The descriptor of the client's socket; nil for standard input and output.
    var socket: Int32?
    /// ``Greeting/endsWithStatus``.
    var endsWithStatus = false
    var streamState = StreamState()
  }

  var vault: Vault
  var clients: [Client]
  /// The service that the program is, for which it sets and reads it; nil if it is none.
  package var service: RunningService?
  /// The descriptor of the process that starts the carrier, for the program as well; nil for none.
  public var starter: Int32?

  /// The state before anything was read.
  public init() {
    self.init(vault: Vault(), clients: [])
  }

  init(vault: Vault, clients: [Client]) {
    self.vault = vault
    self.clients = clients
  }

  /// The descriptors that the next process continues with, besides those of standard input and output.
  public var descriptors: [Int32] {
    (service?.descriptors ?? []) + [starter].compactMap(\.self) + (vault.tokens?.descriptors ?? []) + sockets
  }

  /// The sockets of the clients.
  public var sockets: [Int32] { clients.compactMap(\.socket) }
}

extension HandoffState {
  /// The state as bytes: one line of JSON, then what was read and not answered, and not written, client by client.
  public var encoded: [UInt8] {
    let streams = clients.map(\.streamState.encoded)
    var members = vault.members
    members.append(.init("clients", .array(zip(clients, streams).map { $0.json(streamCount: $1.count) })))
    if let starter { members.append(.init("starter", .integer(Int(starter)))) }
    if let service { members.append(.init("service", service.json)) }
    return JSON.object(members).utf8 + [0x0A] + streams.joined()
  }

  /// Reads what ``encoded`` gives; nil for anything else.
  public init?(decoding bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: 0x0A), let state = try? JSONReader.read(Array(bytes[..<end])),
      case .array(let values) = state["clients"], let vault = Vault(state)
    else { return nil }
    var position = end + 1
    var clients: [Client] = []
    for value in values {
      guard let count = value["streamCount"]?.integer, (0...bytes.count - position).contains(count),
        let streamState = StreamState(decoding: Array(bytes[position..<position + count])),
        let client = Client(value, streamState)
      else { return nil }
      clients.append(client)
      position += count
    }
    self.init(vault: vault, clients: clients)
    starter = state["starter"]?.integer.flatMap(Int32.init(exactly:))
    guard let value = state["service"] else { return }
    guard let service = try? RunningService.read(value, at: "service"), service.isValid else { return nil }
    self.service = service
  }
}

extension HandoffState.Vault {
  fileprivate var members: [JSON.Member] {
    var members: [JSON.Member] = []
    if fingerprintFailures > 0 { members.append(.init("fingerprintFailures", .integer(fingerprintFailures))) }
    if fingerprintCanOpenVaults { members.append(.init("fingerprintCanOpenVaults", true)) }
    if let attempts { members.append(.init("attempts", .array(attempts.fields.map { .string($0) }))) }
    if let demo {
      members.append(
        .init("demo", ["path": .string(demo.path), "hasKnownPassword": .bool(demo.password != nil)]))
    }
    if let account { members.append(.init("account", .string(account.values.text))) }
    if let lockedMirror {
      let account = JSON.string(lockedMirror.account.values.text)
      members.append(.init("mirror", ["account": account, "folder": .string(lockedMirror.folder)]))
    }
    if let proxies { members.append(.init("proxies", proxies.json)) }
    if let tokens { members.append(.init("tokens", tokens.json)) }
    if !admissions.isEmpty { members.append(.init("admissions", admissions.json)) }
    if !strangers.isEmpty { members.append(.init("strangers", strangers.json)) }
    if !agents.refused.isEmpty { members.append(.init("refusedAgents", Array(agents.refused).json)) }
    return members
  }

  fileprivate init?(_ state: JSON) {
    fingerprintFailures = state["fingerprintFailures"]?.integer ?? 0
    fingerprintCanOpenVaults = state["fingerprintCanOpenVaults"] == true
    if case .array(let fields) = state["attempts"] {
      attempts = UnstoredAttempts(fields: fields.compactMap(\.string))
    }
    demo = state["demo"].flatMap { demo in
      demo["path"]?.string.flatMap {
        DemoVault(at: $0, hasKnownPassword: demo["hasKnownPassword"] == .bool(true))
      }
    }
    account = state["account"].flatMap(Account.init(handedOff:))
    proxies = state["proxies"].flatMap { .init(variables: $0) }
    tokens = state["tokens"].flatMap(TokenRefresh.HandedOff.init)
    if let value = state["mirror"], let account = value["account"].flatMap(Account.init(handedOff:)),
      let folder = value["folder"]?.string
    {
      lockedMirror = LockedMirror(account: account, folder: folder)
    }
    if let list = state["admissions"] {
      guard let admissions = AdmissionList(list) else { return nil }
      self.admissions = admissions
    }
    if let value = state["strangers"] {
      guard let strangers = StrangerLimits(value) else { return nil }
      self.strangers = strangers
    }
    if let value = state["refusedAgents"] {
      guard let refused = try? [AgentPermissions.Refusal].read(value, at: "refusedAgents") else { return nil }
      agents.refused = Set(refused)
    }
  }
}

extension Account {
  fileprivate init?(handedOff value: JSON) {
    guard let values = value.string.flatMap({ KeyValueText($0) }) else { return nil }
    self.init(values)
  }
}

extension TokenRefresh.HandedOff {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [.init("account", .string(account.values.text))]
    switch content {
    case .request(let request):
      members.append(.init("carrier", .integer(Int(request.carrier))))
      members.append(.init("received", .string(unsafe Base64.encode(request.received.span.bytes))))
      if let lock = request.lock { members.append(.init("lock", .integer(Int(lock)))) }
    case .answer(let credentials): members.append(.init("credentials", credentials.json))
    }
    return .object(members)
  }

  fileprivate init?(_ state: JSON) {
    guard let account = state["account"].flatMap(Account.init(handedOff:)) else { return nil }
    if let credentials = state["credentials"] {
      guard let credentials = try? CarrierCredentials.read(credentials, at: "credentials") else { return nil }
      self.init(account: account, content: .answer(credentials))
    } else if let carrier = state["carrier"]?.integer.flatMap(Int32.init(exactly:)) {
      let request = TokenRefresh.HandedOffRequest(
        carrier: carrier, received: state["received"]?.string.flatMap(Base64.bytes(of:)) ?? [],
        lock: state["lock"]?.integer.flatMap(Int32.init(exactly:)))
      self.init(account: account, content: .request(request))
    } else {
      return nil
    }
  }
}

extension HandoffState.Client {
  fileprivate func json(streamCount: Int) -> JSON {
    var members: [JSON.Member] = [
      .init("stage", .string(stage.rawValue)), .init("streamCount", .integer(streamCount)),
    ]
    if let locale { members.append(.init("language", .string(locale))) }
    if let process { members.append(.init("clientProcess", .integer(process))) }
    if isInBackground { members.append(.init("isInBackground", true)) }
    if answersConsent { members.append(.init("answersConsent", true)) }
    if let socket { members.append(.init("socket", .integer(Int(socket)))) }
    if endsWithStatus { members.append(.init("endsWithStatus", true)) }
    if let origin { members.append(.init("origin", origin.json)) }
    if let environment { members.append(.init("environment", environment.json)) }
    if let editor {
      members.append(.init("editor", editor.client.json))
      members.append(.init("documents", editor.documents.remains(editor.client)))
    }
    return .object(members)
  }

  fileprivate init?(_ state: JSON, _ streamState: StreamState) {
    guard let stage = state["stage"]?.string.flatMap(Stage.init) else { return nil }
    self.init(
      stage: stage, locale: state["language"]?.string, process: state["clientProcess"]?.integer,
      isInBackground: state["isInBackground"] == true, answersConsent: state["answersConsent"] == true,
      editor: state["editor"].flatMap { try? LanguageClient.read($0, at: "editor") }.map {
        Editor($0, documents: OpenDocuments(state["documents"]))
      },
      origin: state["origin"].flatMap { try? ClientOrigin.read($0, at: "origin") },
      environment: state["environment"].flatMap { .init(variables: $0) },
      socket: state["socket"]?.integer.flatMap(Int32.init(exactly:)),
      endsWithStatus: state["endsWithStatus"] == true, streamState: streamState)
    // A client on a socket without its origin would count as admitted.
    guard (socket == nil) == (origin == nil) else { return nil }
  }
}

extension [String: String] {
  fileprivate init?(variables value: JSON) {
    guard case .object(let members) = value else { return nil }
    self = members.reduce(into: [:]) { $0[$1.name] = $1.value.string }
  }
}
