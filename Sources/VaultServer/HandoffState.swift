import JSON
import JSONRPC
import VaultSession

/// What crosses from one process to the next when the vault locks: the state of the conversation and its unread input, and
/// nothing that the old process knew of the vault's content.
public struct HandoffState: Sendable {
  /// What belongs to the vault.
  struct Vault: Sendable {
    var demo: DemoVault?
    var fingerprintFailures = 0
    var attempts: UnstoredAttempts?
  }

  /// What belongs to a client.
  struct Client: Sendable {
    var stage = Stage.fresh
    var locale: String?
    var process: Int?
    var isInBackground = false
    var streamState = StreamState()
  }

  var vault: Vault
  var client: Client

  /// The state before anything was read.
  public init() {
    self.init(vault: Vault(), client: Client())
  }

  init(vault: Vault, client: Client) {
    self.vault = vault
    self.client = client
  }
}

extension HandoffState {
  /// The state as bytes: one line of JSON, then what was read and not answered.
  public var encoded: [UInt8] {
    var members: [JSON.Member] = [.init("stage", .string(client.stage.rawValue))]
    if let locale = client.locale { members.append(.init("language", .string(locale))) }
    if let process = client.process { members.append(.init("clientProcess", .integer(process))) }
    if client.isInBackground { members.append(.init("isInBackground", true)) }
    if vault.fingerprintFailures > 0 {
      members.append(.init("fingerprintFailures", .integer(vault.fingerprintFailures)))
    }
    if let attempts = vault.attempts {
      members.append(.init("attempts", .array(attempts.fields.map { .string($0) })))
    }
    if let demo = vault.demo {
      members.append(
        .init("demo", ["path": .string(demo.path), "hasKnownPassword": .bool(demo.password != nil)]))
    }
    return JSON.object(members).utf8 + [0x0A] + client.streamState.encoded
  }

  /// Reads what ``encoded`` gives; nil for anything else.
  public init?(decoding bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: 0x0A), let state = try? JSONReader.read(Array(bytes[..<end])),
      let stage = state["stage"]?.string.flatMap(Stage.init),
      let streamState = StreamState(decoding: Array(bytes[(end + 1)...]))
    else { return nil }
    let demo = state["demo"].flatMap { demo in
      demo["path"]?.string.flatMap {
        DemoVault(at: $0, hasKnownPassword: demo["hasKnownPassword"] == .bool(true))
      }
    }
    let attempts =
      if case .array(let fields) = state["attempts"] { fields.compactMap(\.string) } else { [String]() }
    self.init(
      vault: Vault(
        demo: demo, fingerprintFailures: state["fingerprintFailures"]?.integer ?? 0,
        attempts: UnstoredAttempts(fields: attempts)),
      client: Client(
        stage: stage, locale: state["language"]?.string, process: state["clientProcess"]?.integer,
        isInBackground: state["isInBackground"] == true, streamState: streamState))
  }
}
