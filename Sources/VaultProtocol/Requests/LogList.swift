public import JSON
public import JSONRPC
public import VaultModel

/// `log/list`: what happened about opening and closing the vault, newest first, with nothing private. Works locked.
public struct LogList: RequestType {
  /// The method's name.
  public static let method = "log/list"

  /// How many entries are wanted at the most.
  public var limit: Int

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    limit = try parameters.integer("limit", in: PageParameters.limits) ?? 50
  }

  /// Something that happened.
  public struct Entry: Sendable, Hashable {
    /// When.
    public var time: Timestamp
    /// What, such as `unlocked` or `wrongPassword`.
    public var event: String
    /// By what means, such as `password`.
    public var means: String?
    /// For what reason, such as `timeout`.
    public var reason: String?

    /// An entry of the given parts.
    public init(time: Timestamp, event: String, means: String?, reason: String?) {
      self.time = time
      self.event = event
      self.means = means
      self.reason = reason
    }
  }

  /// The entries.
  public struct Answer: JSONConvertible {
    /// Newest first.
    public var items: [Entry]

    /// An answer of the given entries.
    public init(items: [Entry]) {
      self.items = items
    }

    /// The answer on the wire.
    public var json: JSON {
      ["items": .array(items.map(\.json))]
    }
  }
}

extension LogList.Entry {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [.init("at", .string(time.description)), .init("event", .string(event))]
    if let means { members.append(.init("method", .string(means))) }
    if let reason { members.append(.init("reason", .string(reason))) }
    return .object(members)
  }
}
