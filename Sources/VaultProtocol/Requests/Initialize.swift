package import JSON

/// `initialize`: starts the session and sets its language. Unknown members are skipped: language clients send many.
package struct Initialize: VaultRequest {
  package static let method = "initialize"

  /// The client's process: the server exits when it ends.
  package var processIdentifier: Int?
  /// A locale such as `zh-CN`; nil for that of the environment.
  package var locale: String?
  /// Whether the client answers `session/admit`.
  package var answersConsent = false
  /// All parameters, for a client that speaks the Language Server Protocol.
  package var all: JSON?

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      defer { parameters.ignoreRest() }
      let all = parameters.rest
      let capabilities: JSON? = try parameters.optional("capabilities")
      return Self(
        processIdentifier: try parameters.optional("processId"), locale: try parameters.optional("locale"),
        answersConsent: capabilities?["sessionAdmit"] == true, all: all)
    },
    write: { request, members in
      if let process = request.processIdentifier { members.append(.init("processId", process.json)) }
      if let locale = request.locale { members.append(.init("locale", locale.json)) }
      if request.answersConsent { members.append(.init("capabilities", ["sessionAdmit": true])) }
    })

  package struct Response: ResultObject, Hashable {
    package struct Server: ResultObject, Hashable {
      package var name: String
      package var version: String

      package static let coder = ObjectCoder(
        Self.init, .required("name", \.name), .required("version", \.version))
    }

    /// Nil for a client that speaks the Language Server Protocol, as is ``language``: it has them in the capabilities.
    package var protocolVersion: Int?
    package var server: Server
    /// The language of the session, `en` or `zh-Hans`.
    package var language: String?
    /// The server's LSP capabilities; language clients refuse an answer without them.
    package var capabilities: [String: JSON]

    package static let coder = ObjectCoder(
      Self.init, .optional("protocolVersion", \.protocolVersion), .required("serverInfo", \.server),
      .optional("locale", \.language), .required("capabilities", \.capabilities))
  }
}

extension Initialize.Response {
  package init(protocolVersion: Int, version: String, language: String) {
    self.init(
      protocolVersion: protocolVersion, server: Server(name: "quickvault", version: version),
      language: language, capabilities: [:])
  }

  /// The answer to a client that speaks the Language Server Protocol.
  package init(version: String, capabilities: [String: JSON]) {
    self.init(
      protocolVersion: nil, server: Server(name: "quickvault", version: version), language: nil,
      capabilities: capabilities)
  }
}
