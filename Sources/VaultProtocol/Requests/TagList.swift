public import JSONRPC

/// `tag/list`: every tag in use, the most used first.
public struct TagList: RequestType {
  /// The method's name.
  public static let method = "tag/list"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterFault) {}

  /// A tag and on how many cards it is.
  public struct Count: Sendable, Hashable {
    /// The tag.
    public var tag: String
    /// The number of cards.
    public var count: Int

    /// A tag of the given count.
    public init(tag: String, count: Int) {
      self.tag = tag
      self.count = count
    }
  }

  /// The tags.
  public struct Answer: JSONConvertible {
    /// Each tag once.
    public var tags: [Count]

    /// An answer of the given tags.
    public init(tags: [Count]) {
      self.tags = tags
    }

    /// The answer on the wire.
    public var json: JSON {
      ["tags": .array(tags.map { ["tag": .string($0.tag), "count": .integer($0.count)] })]
    }
  }
}
