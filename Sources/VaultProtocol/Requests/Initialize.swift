public import JSON
public import JSONRPC

/// `initialize`: the client says who it is, and hears who the server is.
///
/// With headers it comes first; with lines it may be left out. Members that the server does not know are passed over,
/// since language clients send many.
public struct Initialize: RequestType {
  /// The method's name.
  public static let method = "initialize"

  /// The client's process, whose end is the conversation's; nil where the client does not say.
  public var processIdentifier: Int?
  /// The locale to speak in, such as `zh-CN`; nil leaves it to the environment.
  public var locale: String?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    processIdentifier = try parameters.optional("processId")
    locale = try parameters.optional("locale")
    parameters.ignoreRest()
  }

  /// Who the server is.
  public struct Answer: JSONConvertible {
    /// The protocol's version.
    public var protocolVersion: Int
    /// The server's version.
    public var version: String
    /// The language of the conversation, `en` or `zh-Hans`.
    public var language: String

    /// An answer of the given parts.
    public init(protocolVersion: Int, version: String, language: String) {
      self.protocolVersion = protocolVersion
      self.version = version
      self.language = language
    }

    /// The answer on the wire.
    public var json: JSON {
      [
        "protocolVersion": .integer(protocolVersion),
        "serverInfo": ["name": "quickvault", "version": .string(version)],
        "locale": .string(language),
        // Language clients refuse an answer without this. QuickVault offers none of their features.
        "capabilities": [:],
      ]
    }
  }
}
