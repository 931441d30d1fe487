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

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      defer { parameters.ignoreRest() }
      let capabilities: JSON? = try parameters.optional("capabilities")
      return Self(
        processIdentifier: try parameters.optional("processId"), locale: try parameters.optional("locale"),
        answersConsent: capabilities?["sessionAdmit"] == true)
    },
    write: { request, members in
      if let process = request.processIdentifier { members.append(.init("processId", process.json)) }
      if let locale = request.locale { members.append(.init("locale", locale.json)) }
      if request.answersConsent { members.append(.init("capabilities", ["sessionAdmit": true])) }
    })

  package struct Answer: ResultObject, Hashable {
    package struct Server: ResultObject, Hashable {
      package var name: String
      package var version: String

      package static let coder = ObjectCoder(
        Self.init, .required("name", \.name), .required("version", \.version))
    }

    package var protocolVersion: Int
    package var server: Server
    /// The language of the session, `en` or `zh-Hans`.
    package var language: String
    /// Language clients refuse an answer without this. QuickVault offers none of their features.
    package var capabilities: [String: JSON]

    package static let coder = ObjectCoder(
      Self.init, .required("protocolVersion", \.protocolVersion), .required("serverInfo", \.server),
      .required("locale", \.language), .required("capabilities", \.capabilities))
  }
}

extension Initialize.Answer {
  package init(protocolVersion: Int, version: String, language: String) {
    self.init(
      protocolVersion: protocolVersion, server: Server(name: "quickvault", version: version),
      language: language, capabilities: [:])
  }
}
