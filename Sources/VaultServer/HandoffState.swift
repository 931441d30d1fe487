import JSON
import JSONRPC
import VaultSession

/// All that crosses from one process to the next when the vault locks: where the conversation stands and what was
/// read of it, and nothing that the old process knew of the vault.
public struct HandoffState: Sendable {
  var stage: Stage
  var language: String?
  var clientProcess: Int?
  var isInBackground: Bool
  var fingerprintFailures: Int
  var demo: DemoVault?
  var streamState: StreamState

  /// The beginning of a conversation.
  public init() {
    self.init(
      stage: .fresh, language: nil, clientProcess: nil, isInBackground: false, fingerprintFailures: 0,
      demo: nil,
      streamState: StreamState())
  }

  init(
    stage: Stage, language: String?, clientProcess: Int?, isInBackground: Bool, fingerprintFailures: Int,
    demo: DemoVault?, streamState: StreamState
  ) {
    self.stage = stage
    self.language = language
    self.clientProcess = clientProcess
    self.isInBackground = isInBackground
    self.fingerprintFailures = fingerprintFailures
    self.demo = demo
    self.streamState = streamState
  }
}

extension HandoffState {
  /// The state as bytes: one line of JSON, then what was read and not answered.
  public var encoded: [UInt8] {
    var members: [JSON.Member] = [.init("stage", .string(stage.rawValue))]
    if let language { members.append(.init("language", .string(language))) }
    if let clientProcess { members.append(.init("clientProcess", .integer(clientProcess))) }
    if isInBackground { members.append(.init("isInBackground", true)) }
    if fingerprintFailures > 0 { members.append(.init("fingerprintFailures", .integer(fingerprintFailures))) }
    if let demo {
      members.append(
        .init("demo", ["path": .string(demo.path), "hasKnownPassword": .bool(demo.password != nil)]))
    }
    return JSON.object(members).utf8 + [0x0A] + streamState.encoded
  }

  /// Reads what ``encoded`` gives; nil where it is anything else.
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
    self.init(
      stage: stage, language: state["language"]?.string, clientProcess: state["clientProcess"]?.integer,
      isInBackground: state["isInBackground"] == true,
      fingerprintFailures: state["fingerprintFailures"]?.integer ?? 0, demo: demo, streamState: streamState)
  }
}
