package import Wire

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

  package init(processIdentifier: Int?, locale: String?, answersConsent: Bool, all: JSON? = nil) {
    (self.processIdentifier, self.locale) = (processIdentifier, locale)
    (self.answersConsent, self.all) = (answersConsent, all)
  }

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

/// `rpc.discover`: the OpenRPC document. Works locked.
package struct Discover: ParameterlessRequest {
  package static let method = "rpc.discover"
  package typealias Response = JSON

  package init() {}
}

/// `session/admit`, from the server to an admitted client: asks its user whether a program may use the unlocked vault, or an agent
/// some cards (U).
///
/// A client gets it if it has said `capabilities: {"sessionAdmit": true}` in `initialize`.
package struct SessionAdmit: RequestType, OutgoingRequest, JSONObject, Hashable {
  package static let method = "session/admit"

  package var program: ClientProgram
  /// The question in the client's language, and in both.
  package var message: LocalizedMessage

  /// Whether an agent asks to use cards: once, or until the vault is locked.
  package var isUse: Bool

  package init(program: ClientProgram, message: LocalizedMessage, isUse: Bool = false) {
    (self.program, self.message, self.isUse) = (program, message, isUse)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("program", \.program), .members(\.message), .member("use", \.isUse, default: false))

  package struct Response: JSONObject, Hashable {
    package enum End: String, CaseIterable, JSONCodable {
      case lock
    }

    package var isAllowed: Bool
    /// For how long a use is allowed; nil for once.
    package var until: End?

    package init(isAllowed: Bool, until: End? = nil) { (self.isAllowed, self.until) = (isAllowed, until) }

    package static let coder = ObjectCoder(
      Self.init, .required("allow", \.isAllowed), .optional("until", \.until))
  }

  package var parameters: JSON? { json }
}

/// `session/unlock`: opens the vault. If it is already open, the password or fingerprint is still checked.
package struct SessionUnlock: VaultRequest {
  package static let method = "session/unlock"
  package typealias Response = UnlockResponse

  package var means: AuthenticationMeans

  package init(means: AuthenticationMeans) { self.means = means }

  package static let coder = ObjectCoder(Self.init, .members(\.means))
}

/// `session/lock`: locks the vault.
package struct SessionLock: ParameterlessRequest {
  package static let method = "session/lock"
  package typealias Response = NullResult

  package init() {}
}

/// `password/check`: whether a new password would be accepted, and whether it is easy to guess (R11). Works locked and
/// without a vault.
package struct PasswordCheck: VaultRequest {
  package static let method = "password/check"

  package var password: String

  package init(password: String) { self.password = password }

  package static let coder = ObjectCoder(Self.init, .required("password", \.password))

  package struct Response: ResultObject, Hashable {
    package var warnings: [IssueJSON]

    package init(warnings: [IssueJSON]) { self.warnings = warnings }

    package static let coder = ObjectCoder(Self.init, .required("warnings", \.warnings))
  }
}

/// `log/list`: unlocks, locks and the like, newest first, without private detail. Works locked.
package struct LogList: VaultRequest {
  package static let method = "log/list"
  package typealias Response = ItemsResponse<LogEntry>

  /// The maximum number of entries.
  package var limit: Int

  package init(limit: Int) { self.limit = limit }

  package static let coder = ObjectCoder(
    Self.init, .integer("limit", \.limit, in: PageParameters.limits, default: 50))
}

extension LogEntry: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("at", \.time), .required("event", \.event), .optional("method", \.means),
    .optional("reason", \.reason))
}
