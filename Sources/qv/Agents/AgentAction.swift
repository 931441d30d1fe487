import Glibc
import VaultInterface
import Wire

/// A call of a tool, and what tools do. The values are taken by a child process, which the service lets take them once the person has
/// allowed that.
struct AgentAction {
  let server: AgentServer
  let call: AgentServer.Call
  let arguments: JSON

  func text(_ name: String) -> String { arguments[name]?.string ?? "" }

  @discardableResult
  func ask<Request: VaultRequest>(_ request: Request) throws -> Request.Response {
    try server.ask(request, call)
  }

  // MARK: Tools

  func fill() throws -> JSON {
    let file = try RootedFile(text("path"), below: try roots())
    let template = try file.read()
    let lines = template.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
    let parts = lines.map { Reference.parts(of: Substring($0)) }
    if let index = parts.firstIndex(where: { $0.contains(.malformed) }) {
      throw ToolError("Line \(index + 1) has a placeholder without a card, a field or an end.")
    }
    let references = parts.joined().compactMap(\.reference)
    // Each may stand for a long text.
    guard references.count <= 1_000 else { throw ToolError("A file may have at most 1000 placeholders.") }
    guard !references.isEmpty else {
      throw ToolError("The file has no placeholders such as {{qv:TITLE.FIELD}}.")
    }
    let cards = arguments["cards"]?.elements.compactMap(\.string)
    if let cards, !references.allSatisfy({ $0.names(oneOf: cards) }) {
      throw ToolError("A placeholder names a card that the argument cards does not have.")
    }
    try ask(AgentUse(kind: .fill, target: file.path, values: Self.values(of: references)))
    try file.replace { target throws in
      let child = try run(
        ["fill", "-", "--concealed"], input: Array(template.utf8), output: target, environment: ownEnvironment
      )
      guard child.status == 0 else {
        throw ToolError("The file was not changed: a value could not be filled in.")
      }
    }
    return ["filled": .integer(references.count)]
  }

  func runCommand() throws -> JSON {
    let words = arguments["argv"]?.elements.compactMap(\.string) ?? []
    var (references, input) = ([Reference](), "")
    for variable in arguments["env"]?.members ?? [] {
      let source = variable.value.string ?? ""
      let parts = Reference.parts(of: Substring(source)).filter { $0 != .text("") }
      guard variable.name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil, !source.contains("'"),
        source.lines.count == 1,
        parts.count == 1, let reference = parts[0].reference
      else { throw ToolError("Each variable needs a name, and one reference such as qv://CARD/FIELD.") }
      references.append(reference)
      input += "\(variable.name)='\(source)'\n"
    }
    let shown = words.map {
      $0.wholeMatch(of: /[\w@%+=:,.\/-]+/) == nil ? $0.shellQuoted : $0
    }
    try ask(
      AgentUse(kind: .run, target: shown.joined(separator: " "), values: Self.values(of: references)))
    // Other references in the environment were not asked about, and would be replaced as well.
    let environment = ProcessEnvironment.entries.filter { entry in
      !entry.hasPrefix("QUICKVAULT_") && !entry.contains("qv://") && !entry.contains(Placeholder.opening)
    }
    let child = try run(
      ["run", "--yes", "--env-file", "/dev/stdin"], ["--"] + words, input: Array(input.utf8),
      takesErrors: true,
      environment: environment)
    return [
      "status": .integer(Int(child.status)), "output": .string(String(decoding: child.output, as: UTF8.self)),
      "truncated": .bool(child.isCut),
    ]
  }

  /// Gives a value to the clipboard or the window, by a command of this program.
  func give(_ kind: AgentUse.Kind, by command: String) throws -> JSON {
    let child = try take(kind, [command])
    guard child.status == 0 else {
      throw ToolError("There is no \(kind == .copy ? "clipboard" : "window") here that QuickVault can use.")
    }
    return ["done": true]
  }

  func reveal() throws -> String {
    let child = try take(.reveal, ["copy", "--print"])
    guard child.status == 0, let value = String(validating: child.output, as: UTF8.self) else {
      throw ToolError("The value could not be read.")
    }
    return value
  }

  private func take(_ kind: AgentUse.Kind, _ words: [String]) throws -> Child {
    let field = arguments["field"]?.string
    let used = try ask(AgentUse(kind: kind, target: "", values: [.init(card: text("card"), field: field)]))
    // Every user can read arguments, so the title is none.
    let card = used.cards.first?.description ?? ""
    return try run(
      words + (field.map { ["--field=\($0)"] } ?? []), ["--", card], input: [], environment: ownEnvironment)
  }

  private static func values(of references: [Reference]) -> [AgentUse.Value] {
    var values: [AgentUse.Value] = []
    for reference in references {
      let value =
        switch reference {
        case .name(let name): AgentUse.Value(card: name, field: nil)
        case .field(let field, let card): AgentUse.Value(card: card, field: field)
        }
      if !values.contains(value) { values.append(value) }
    }
    return values
  }

  // MARK: Child processes

  private struct Child {
    let status: Int32
    let output: [UInt8]
    /// Whether it has printed more.
    let isCut: Bool
  }

  /// The most bytes of output that are kept.
  private static let outputLimit = 64 << 10

  /// What the agent may have set decides neither which programs get a value nor on which terminal.
  private var ownEnvironment: [String] {
    let names = [
      "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "HOME", "LANG", "LC_ALL", "LC_MESSAGES",
    ]
    return names.compactMap { name in Environment[name].map { "\(name)=\($0)" } }
      + ["PATH=/usr/local/bin:/usr/bin:/bin"]
  }

  /// Runs a command of this program in a session of its own, and reads the agent's messages meanwhile.
  private func run(
    _ words: [String], _ operands: [String] = [], input: [UInt8], output: Int32? = nil,
    takesErrors: Bool = false,
    environment: [String]
  ) throws -> Child {
    let vault = try Vault.path(server.vault.invocation.arguments)
    guard let own = Executables.ownPath, let (source, feed) = ChildProcess.pipe(),
      let (result, sink) = ChildProcess.pipe()
    else { throw ToolError("The system refuses a resource.") }
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(result) }
    let child = ChildProcess.start(
      own, ["qv"] + words + ["--vault", Environment.absolutePath(vault)] + operands,
      .init(input: source, output: output ?? sink, errors: takesErrors ? sink : nowhere),
      environment: environment,
      isDetached: true)
    for descriptor in [source, sink, nowhere] { close(descriptor) }
    guard let child else {
      close(feed)
      throw ToolError("The system refuses a resource.")
    }
    try ChildProcess.writeAll(input, to: feed)
    var (bytes, isOpen) = ([UInt8](), true)
    while isOpen {
      // The end of the process comes after its output, which programs that it leaves behind may hold open.
      switch try Signals.wait(for: [result, child.watch] + (server.hasEnded ? [] : [0])) {
      case 0:
        let portion = try Descriptor.readAvailable(result)
        isOpen = portion != nil
        bytes += portion?.prefix(max(Self.outputLimit + 1 - bytes.count, 0)) ?? []
      case 1: isOpen = false
      default:
        try server.read()
        if server.isCancelled { ChildProcess.terminate(child.process) }
      }
    }
    let status = try child.wait()
    return Child(
      status: status, output: Array(bytes.prefix(Self.outputLimit)), isCut: bytes.count > Self.outputLimit)
  }

  // MARK: Roots

  /// The directories below which files may be filled in: those of the command line, and those that the client names.
  ///
  /// - Throws: ``InputRequired`` if a client without a conversation has to be asked.
  private func roots() throws -> [String] {
    let given = server.vault.invocation.arguments.all(AgentCommand.root).map(Environment.absolutePath)
    guard call.capabilities["roots"] != nil else { return given }
    if call.isStateless {
      guard let answer = call.parameters["inputResponses"]?["roots"] else {
        throw InputRequired(requests: ["roots": ["method": "roots/list"]])
      }
      return given + Self.paths(answer)
    }
    if server.roots == nil { server.roots = try server.ask("roots/list").map(Self.paths) }
    return given + (server.roots ?? [])
  }

  private static func paths(_ answer: JSON) -> [String] {
    (answer["roots"]?.elements ?? []).compactMap { root in
      guard let uri = root["uri"]?.string, uri.hasPrefix("file:///") else { return nil }
      let path = uri.dropFirst("file://".count).utf8.percentDecoded
      return path.flatMap { String(validating: $0, as: UTF8.self) }
    }
  }
}

extension Reference.Part {
  fileprivate var reference: Reference? {
    if case .reference(let reference) = self { reference } else { nil }
  }
}

extension Reference {
  fileprivate func names(oneOf cards: [String]) -> Bool {
    switch self {
    case .field(_, let card): cards.contains(card)
    case .name(let name):
      cards.contains(name) || Placeholder.parts(of: name).map { cards.contains($0.title) } ?? false
    }
  }
}

/// `qv mcp`, which `quickvault mcp` runs.
enum AgentCommand {
  static let root = Option(name: "root", value: .files)

  static let command = Command(
    name: "mcp", summary: Localized("let an agent use cards", "让智能体使用卡片"), options: [root],
    isHidden: true
  ) { invocation throws(Failure) in
    try invocation.arguments.allow(0)
    // A private process takes its only client to be admitted.
    guard !Vault.isAlone(invocation.arguments) else {
      throw .usage(Localized("an agent needs the shared service", "智能体须使用共享服务"))
    }
    try AgentServer(invocation.vault).run()
  }
}
