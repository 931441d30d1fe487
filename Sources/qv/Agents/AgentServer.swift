import Glibc
import VaultInterface
import Wire

/// A server of the Model Context Protocol on standard input and output, one message per line. An agent uses cards through it and does
/// not get to know them: this process, which talks to the agent, never has a value unless the person lets the agent read it.
///
/// It answers one request after another, and meanwhile reads what cancels one.
final class AgentServer {
  /// The versions that begin with `initialize`, the newest first, and the one without.
  static let (versions, statelessVersion) = (["2025-11-25", "2025-06-18"], "2026-07-28")
  static let metadata = "io.modelcontextprotocol/"

  /// A request that is answered.
  struct Call {
    let id: RequestIdentifier
    let parameters: JSON
    /// What the client can do.
    let capabilities: JSON
    let isStateless: Bool
  }

  let vault: Vault
  private var reader = FrameReader()
  private var waiting: [(id: RequestIdentifier, method: String, parameters: JSON)] = []
  /// The version that `initialize` has agreed on.
  private var version: String?
  private var capabilities: JSON = [:]
  private var current: RequestIdentifier?
  /// The answers to requests of this program; nil until they arrive.
  private var asked: [RequestIdentifier: JSON?] = [:]
  private var lastNumber = 0
  /// The directories that the client has named; nil before it was asked.
  var roots: [String]?
  private var listedTools: [String]?
  private(set) var hasEnded = false
  /// Whether nobody waits for the answer any more.
  private(set) var isCancelled = false

  init(_ vault: Vault) {
    self.vault = vault
    vault.isForAgent = true
  }

  /// Answers until the end of input.
  func run() throws(Failure) {
    while !hasEnded || !waiting.isEmpty {
      guard !waiting.isEmpty else {
        try read()
        continue
      }
      let request = waiting.removeFirst()
      (current, isCancelled) = (request.id, hasEnded)
      let result: Result<JSON, ResponseError>
      do throws(ResponseError) {
        result = .success(try answer(request.id, request.method, request.parameters))
      } catch {
        result = .failure(error)
      }
      current = nil
      if !isCancelled { try write(.response(id: request.id, result)) }
    }
  }

  // MARK: Methods

  private func answer(_ id: RequestIdentifier, _ method: String, _ parameters: JSON) throws(ResponseError)
    -> JSON
  {
    let metadata = parameters["_meta"]
    if let claimed = metadata?[Self.metadata + "protocolVersion"] {
      guard version == nil else { throw .invalidRequest("this conversation began with initialize") }
      guard claimed == .string(Self.statelessVersion) else {
        throw ResponseError(
          code: -32_022, message: "Unsupported protocol version",
          data: ["supported": [.string(Self.statelessVersion)], "requested": .string(claimed.string ?? "")])
      }
      guard let capabilities = metadata?[Self.metadata + "clientCapabilities"], case .object = capabilities
      else {
        throw .invalidParameters("_meta has no client capabilities")
      }
      let call = Call(id: id, parameters: parameters, capabilities: capabilities, isStateless: true)
      guard method != "server/discover" else { return Self.complete(Self.cacheable(Self.discovery)) }
      return Self.complete(try answer(method, call))
    }
    switch method {
    case "initialize": return try initialize(parameters)
    case "ping": return [:]
    case _ where version == nil:
      throw .invalidRequest("send initialize first, or the metadata of \(Self.statelessVersion)")
    default:
      return try answer(
        method, Call(id: id, parameters: parameters, capabilities: capabilities, isStateless: false))
    }
  }

  private func answer(_ method: String, _ call: Call) throws(ResponseError) -> JSON {
    switch method {
    case "tools/list":
      guard call.parameters["cursor"] == nil else { throw .invalidParameters("there is one page only") }
      let tools = tools()
      listedTools = tools.map(\.name)
      let listed = JSON.array(tools.map(\.json))
      return call.isStateless ? Self.cacheable(["tools": listed]) : ["tools": listed]
    case "tools/call":
      let arguments = call.parameters["arguments"] ?? [:]
      guard let name = call.parameters["name"]?.string, case .object(let members) = arguments,
        members.repeatedName == nil
      else { throw .invalidParameters("tools/call needs a name, and an object of arguments") }
      let tools = tools()
      if let listedTools, listedTools != tools.map(\.name), !call.isStateless {
        self.listedTools = nil
        try? write(.notification(method: "notifications/tools/list_changed", parameters: nil))
      }
      guard let tool = tools.first(where: { $0.name == name }) else {
        throw .invalidParameters("there is no such tool")
      }
      return result(of: tool, arguments, call)
    default: throw ResponseError(code: -32_601, message: "Method not found")
    }
  }

  private func initialize(_ parameters: JSON) throws(ResponseError) -> JSON {
    guard version == nil else { throw .invalidRequest("initialize was answered before") }
    guard let wanted = parameters["protocolVersion"]?.string, let capabilities = parameters["capabilities"],
      case .object = capabilities, parameters["clientInfo"]?["name"]?.string != nil,
      parameters["clientInfo"]?["version"]?.string != nil
    else { throw .invalidParameters("initialize needs protocolVersion, capabilities and clientInfo") }
    let agreed = Self.versions.contains(wanted) ? wanted : Self.versions[0]
    (version, self.capabilities) = (agreed, capabilities)
    return [
      "protocolVersion": .string(agreed), "capabilities": ["tools": ["listChanged": true]],
      "serverInfo": Self.serverInfo, "instructions": .string(AgentTool.instructions),
    ]
  }

  /// The tools that the settings allow, as far as they are known.
  private func tools() -> [AgentTool] {
    let uses = (try? vault.status())?.agentUses ?? []
    return AgentTool.all.filter { $0.needed.map(uses.contains) ?? true }
  }

  private func result(of tool: AgentTool, _ arguments: JSON, _ call: Call) -> JSON {
    do {
      try tool.check(arguments)
      let structured = try tool.run(AgentAction(server: self, call: call, arguments: arguments))
      return [
        "content": [["type": "text", "text": .string(structured.text)]], "structuredContent": structured,
      ]
    } catch let error as InputRequired {
      return ["resultType": "input_required", "inputRequests": error.requests]
    } catch {
      let text = (error as? ToolError)?.text ?? "QuickVault could not do that."
      return ["content": [["type": "text", "text": .string(text)]], "isError": true]
    }
  }

  // MARK: Messages

  /// Reads what has arrived, waiting for it.
  func read() throws(Failure) {
    guard let bytes = try Descriptor.readAvailable(0) else {
      (hasEnded, isCancelled) = (true, true)
      return
    }
    reader.append(bytes)
    do {
      while let frame = try reader.next() {
        guard case .message(let bytes) = frame else {
          try refuse(.invalidRequest("the message is too long"))
          continue
        }
        try take(bytes)
      }
    } catch {
      (hasEnded, isCancelled) = (true, true)
    }
  }

  private func take(_ bytes: [UInt8]) throws {
    let value: JSON
    do {
      value = try JSONReader.read(bytes)
    } catch {
      return try refuse(ResponseError(code: -32_700, message: "Parse error"))
    }
    guard case .object = value, let message = try? Message(value) else {
      return try refuse(.invalidRequest("this is no message of JSON-RPC 2.0, or a batch"))
    }
    switch message {
    case .request(let id, let method, let parameters): try take(id, method, parameters)
    case .notification("notifications/cancelled", let parameters): cancel(parameters?["requestId"])
    case .notification("notifications/roots/list_changed", _): roots = nil
    case .notification: break
    case .response(let id, let result):
      if asked[id] != nil { asked[id] = .some(try? result.get()) }
    }
  }

  private func take(_ id: RequestIdentifier, _ method: String, _ parameters: JSON?) throws {
    let isValid = if case .number(let number) = id { number.integer != nil } else { id != .null }
    guard isValid else { return try refuse(.invalidRequest("an id is a string or an integer")) }
    guard case .object = parameters ?? [:] else {
      return try write(.response(id: id, .failure(.invalidParameters("parameters have names"))))
    }
    // Also while another request is answered.
    if method == "ping", version != nil { return try write(.response(id: id, .success([:]))) }
    waiting.append((id, method, parameters ?? [:]))
  }

  private func cancel(_ id: JSON?) {
    if current?.json == id { isCancelled = true }
    waiting.removeAll { $0.id.json == id && $0.method != "initialize" }
  }

  /// Answers what has no id. The schema of 2025-06-18 has no such answer.
  private func refuse(_ error: ResponseError) throws(Failure) {
    guard version != "2025-06-18" else { return }
    let error: JSON = ["code": .integer(error.code), "message": .string(error.message)]
    try Descriptor.write(JSON.object([.init("jsonrpc", "2.0"), .init("error", error)]).utf8 + [0x0A], to: 1)
  }

  private func write(_ message: Message) throws(Failure) {
    try Descriptor.write(message.json.utf8 + [0x0A], to: 1)
  }

  // MARK: Asking

  /// Asks the client, and waits for its answer.
  ///
  /// - Returns: nil if it is an error, or does not arrive in ten seconds.
  func ask(_ method: String) throws(Failure) -> JSON? {
    let id = try begin(method, nil)
    defer { asked[id] = nil }
    while asked[id] == .some(nil), !isCancelled {
      guard try Signals.wait(for: 0, timeout: 10_000) else { return nil }
      try read()
    }
    return asked[id] ?? nil
  }

  private func begin(_ method: String, _ parameters: JSON?) throws(Failure) -> RequestIdentifier {
    lastNumber += 1
    let id = RequestIdentifier.string("quickvault-\(lastNumber)")
    asked[id] = .some(nil)
    try write(.request(id: id, method: method, parameters: parameters))
    return id
  }

  /// Sends a request to the vault. The client is told if a person has to answer a question first.
  func ask<Request: VaultRequest>(_ request: Request, _ call: Call) throws -> Request.Response {
    let connection = try vault.connected()
    var told: RequestIdentifier?
    connection.onMessage = { [weak self] message in
      if message.kind == "agent.waiting" { told = (try? self?.tell(call)) ?? nil }
    }
    defer { connection.onMessage = nil }
    let id = try connection.begin(Request.method, request.json)
    let answer = try connection.answer(to: id, cancelling: hasEnded ? nil : 0) { () throws(Failure) in
      try read()
      return isCancelled
    }
    if let told {
      asked[told] = nil
      try write(.notification(method: "notifications/cancelled", parameters: ["requestId": told.json]))
    }
    switch answer {
    case .success(let json): return try Request.Response.decoded(json)
    case .failure(let error):
      // Of a vault that is not there, the service says the same as of a locked one.
      if (try? vault.status())?.exists == false { throw ToolError.noVault }
      throw ToolError(RequestError(error))
    }
  }

  /// Says that a question waits. What the client's own question is answered by decides nothing.
  private func tell(_ call: Call) throws(Failure) -> RequestIdentifier? {
    let text = JSON.string(
      "A person is asked in QuickVault whether this is allowed. The answer is given there.")
    if let token = call.parameters["_meta"]?["progressToken"] {
      try write(
        .notification(
          method: "notifications/progress",
          parameters: ["progressToken": token, "progress": 0, "message": text]))
    }
    guard !call.isStateless, let elicitation = call.capabilities["elicitation"],
      elicitation.members.isEmpty || elicitation["form"] != nil
    else { return nil }
    return try begin(
      "elicitation/create", ["message": text, "requestedSchema": ["type": "object", "properties": [:]]])
  }
}
