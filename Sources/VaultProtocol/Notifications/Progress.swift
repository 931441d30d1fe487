public import JSON
public import JSONRPC

/// `$/progress`: how far a long piece of work has come (LSP 3.17, work done progress).
public struct Progress: OutgoingNotification {
  /// The notification's name.
  public static let method = "$/progress"

  /// A stage of the work.
  public enum Stage: Sendable, Hashable {
    /// It begins.
    case begin(message: String)
    /// So much is done, in percent.
    case report(percentage: Int)
    /// It is over, whatever came of it.
    case end
  }

  /// The token that the client gave.
  public var token: ProgressToken
  /// The stage.
  public var stage: Stage

  /// A notification of the given parts.
  public init(_ token: ProgressToken, _ stage: Stage) {
    self.token = token
    self.stage = stage
  }

  /// The notification on the wire.
  public var json: JSON {
    let value: JSON =
      switch stage {
      case .begin(let message): ["kind": "begin", "message": .string(message), "percentage": 0]
      case .report(let percentage): ["kind": "report", "percentage": .integer(percentage)]
      case .end: ["kind": "end"]
      }
    return ["token": token.json, "value": value]
  }
}
