public import JSON
public import JSONRPC

/// `rpc.discover`: the OpenRPC document that describes all this. Works locked.
public struct Discover: RequestType {
  /// The method's name.
  public static let method = "rpc.discover"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}

  /// The document.
  public struct Answer: JSONConvertible {
    /// The document as it is.
    public var json: JSON

    /// An answer of the given document.
    public init(_ document: JSON) {
      json = document
    }
  }
}
