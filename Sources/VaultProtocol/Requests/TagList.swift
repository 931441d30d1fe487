public import JSON
public import JSONRPC
public import VaultModel

/// `tag/list`: every tag in use, the most used first.
public struct TagList: RequestType {
  /// The method's name.
  public static let method = "tag/list"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}

  /// The tags.
  public struct Answer: JSONConvertible {
    /// Each tag once.
    public var tags: [TagCount]

    /// An answer of the given tags.
    public init(tags: [TagCount]) {
      self.tags = tags
    }

    /// The answer on the wire.
    public var json: JSON {
      ["tags": .array(tags.map { ["tag": .string($0.tag), "count": .integer($0.count)] })]
    }
  }
}
