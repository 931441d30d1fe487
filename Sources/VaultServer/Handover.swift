import JSONRPC
import VaultSession

/// All that crosses from one process to the next when the vault locks: where the conversation stands and what was
/// read of it, and nothing that the old process knew of the vault.
public struct Handover: Sendable {
  var stage: Stage
  var language: String?
  var clientProcess: Int?
  var isInBackground: Bool
  var fingerFailures: Int
  var demo: DemoVault?
  var remainder: Remainder

  /// The beginning of a conversation.
  public init() {
    self.init(
      stage: .fresh, language: nil, clientProcess: nil, isInBackground: false, fingerFailures: 0, demo: nil,
      remainder: Remainder())
  }

  init(
    stage: Stage, language: String?, clientProcess: Int?, isInBackground: Bool, fingerFailures: Int,
    demo: DemoVault?, remainder: Remainder
  ) {
    self.stage = stage
    self.language = language
    self.clientProcess = clientProcess
    self.isInBackground = isInBackground
    self.fingerFailures = fingerFailures
    self.demo = demo
    self.remainder = remainder
  }
}

extension Handover {
  /// The state as bytes: one line of JSON, then what was read and not answered.
  public var encoded: [UInt8] {
    var members: [JSON.Member] = [.init("stage", .string(stage.rawValue))]
    if let language { members.append(.init("language", .string(language))) }
    if let clientProcess { members.append(.init("clientProcess", .integer(clientProcess))) }
    if isInBackground { members.append(.init("isInBackground", true)) }
    if fingerFailures > 0 { members.append(.init("fingerFailures", .integer(fingerFailures))) }
    if let demo {
      members.append(
        .init("demo", ["path": .string(demo.path), "hasKnownPassword": .bool(demo.password != nil)]))
    }
    return JSON.object(members).utf8 + [0x0A] + remainder.encoded
  }

  /// Reads what ``encoded`` gives; nil where it is anything else.
  public init?(decoding bytes: [UInt8]) {
    guard let end = bytes.firstIndex(of: 0x0A), let state = try? JSONReader.read(Array(bytes[..<end])),
      let stage = state["stage"]?.string.flatMap(Stage.init),
      let remainder = Remainder(decoding: Array(bytes[(end + 1)...]))
    else { return nil }
    let demo = state["demo"].flatMap { demo in
      demo["path"]?.string.flatMap {
        DemoVault(at: $0, hasKnownPassword: demo["hasKnownPassword"] == .bool(true))
      }
    }
    self.init(
      stage: stage, language: state["language"]?.string, clientProcess: state["clientProcess"]?.integer,
      isInBackground: state["isInBackground"] == true,
      fingerFailures: state["fingerFailures"]?.integer ?? 0, demo: demo, remainder: remainder)
  }
}
