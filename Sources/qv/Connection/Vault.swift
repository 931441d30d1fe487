import VaultInterface
import Wire

/// The vault as commands use it. Unlocks a locked vault and creates a missing one when needed.
final class Vault {
  let invocation: Invocation
  private(set) var connection: VaultConnection?
  let passwords: PasswordSource
  /// Whether unlocking may end with the question whether to bind this device.
  var offersFingerprint = true

  /// Whether the user can be asked to admit other programs. Set before the first request.
  var answersConsent = false

  /// Whether this program speaks for an agent, which started it. Set before the first request.
  var isForAgent = false

  /// The file of a vault that a private process serves, and variables for it; nil for the vault of the command line.
  private let own: (path: String, environment: [String: String])?

  convenience init(_ invocation: Invocation) { self.init(invocation, own: nil) }

  /// - Parameters:
  ///   - path: the file of the vault, which a private process serves.
  ///   - environment: variables that it has in place of this process's.
  convenience init(_ invocation: Invocation, alone path: String, environment: [String: String]) {
    self.init(invocation, own: (path, environment))
  }

  private init(_ invocation: Invocation, own: (path: String, environment: [String: String])?) {
    self.invocation = invocation
    self.own = own
    passwords = PasswordSource(invocation)
  }

  var isOpen: Bool { connection != nil }

  func close() {
    connection?.close()
    connection = nil
  }

  /// The vault's path, by the option, the environment or the XDG Base Directory Specification.
  static func path(_ arguments: Arguments) throws(Failure) -> String {
    if let path = arguments[.vault] ?? StandardVault.path({ Environment[$0] }) { return path }
    throw .usage(
      Localized(
        "there is no home directory to find the vault in; set HOME, or use --vault",
        "没有主目录，无法确定保险库的位置：请设置 HOME，或使用 --vault"))
  }

  /// Whether a private process serves the command.
  static func isAlone(_ arguments: Arguments) -> Bool {
    arguments.has(.alone) || Environment.nonEmptyValue("QUICKVAULT_ALONE") != nil
  }

  // MARK: Requests

  /// Sends a request that needs no open vault.
  func send<Request: VaultRequest>(_ request: Request, cancelling: Int32? = nil) throws(Failure)
    -> Answered<Request>
  {
    try send(Request.self, request.json, cancelling)
  }

  /// Sends a request with a password that needs no open vault.
  func send<Request: VaultRequest>(
    _ password: Password, cancelling: Int32? = nil, _ request: (String) -> Request
  ) throws(Failure) -> Answered<Request> {
    try send(Request.self, password.parameters(request), cancelling)
  }

  private func send<Request: VaultRequest>(_: Request.Type, _ parameters: JSON, _ cancelling: Int32?)
    throws(Failure) -> Answered<Request>
  {
    try connected().send(Request.method, parameters, cancelling: cancelling).mapError(RequestError.init)
      .read(Request.self)
  }

  /// Sends a request. Unlocks a locked vault and repeats the request; asks again for the password where that is required.
  ///
  /// - Parameter announces: whether a message of the server about what was done is shown.
  func attempt<Request: VaultRequest>(_ request: Request, announces: Bool = false) throws(Failure)
    -> Answered<Request>
  {
    try attempt(Request.method, request.json, announces: announces).read(Request.self)
  }

  /// Sends a request with a password like ``attempt(_:announces:)``.
  ///
  /// - Parameter unlocks: whether the password is that of the vault, and unlocks it if needed.
  func attempt<Request: VaultRequest>(
    _ password: Password, unlocks: Bool = true, _ request: (String) -> Request
  ) throws(Failure) -> Answered<Request> {
    try attempt(Request.method, password.parameters(request), unlockingBy: unlocks ? password : nil)
      .read(Request.self)
  }

  /// Sends a request like ``attempt(_:announces:)``; an error ends the command.
  ///
  /// - Parameter text: what the progress of the request is shown with; nil to show none.
  @discardableResult
  func ask<Request: VaultRequest>(
    _ request: Request, announces: Bool = false, progress text: Localized? = nil
  ) throws(Failure) -> Answer<Request.Response> {
    guard let text else { return try attempt(request, announces: announces).getOrFail() }
    return try withProgress(text) { () throws(Failure) in try ask(request, announces: announces) }
  }

  /// Sends a request by its name and parameters, like ``attempt(_:announces:)``.
  ///
  /// - Parameters:
  ///   - begun: the request, if it is sent already.
  ///   - password: the password that unlocks the vault; nil to ask.
  func attempt(
    _ method: String, _ parameters: JSON, announces: Bool = false, begun: RequestIdentifier? = nil,
    unlockingBy password: Password? = nil
  ) throws(Failure) -> Result<JSON, RequestError> {
    var begun = begun
    while true {
      let connection = if begun != nil, let open = self.connection { open } else { try connected() }
      let id = if let begun { begun } else { try connection.begin(method, parameters) }
      begun = nil
      let answer = try connection.answer(to: id).mapError { RequestError($0).naming(fileOf: parameters) }
      guard case .failure(let error) = answer else {
        if announces, Terminal.showsMessages, let lastMessage = try connection.takeMessage() {
          invocation.terminal.show(lastMessage + "\n")
        }
        return answer
      }
      switch error.kind {
      case "vault.locked", "auth.notAdmitted":
        guard let password else {
          try open()
          continue
        }
        switch try send(password, SessionUnlock.byPassword) {
        case .success(let state): try after(state.value, password: nil)
        case .failure(let error): return .failure(error)
        }
      case "vault.notFound": try open()
      case "vault.changed":
        if try !status().isLocked { return answer }
        invocation.report(error.message)
        try open()
      case "auth.required":
        guard Terminal.isInteractive || passwords.isGiven || passwords.usesPinentry else { return answer }
        try authenticate(Prompt.confirmation)
      case "vault.older":
        guard Terminal.isInteractive else { return answer }
        try acceptOlderCopy()
      default: return answer
      }
    }
  }

  /// Shows the progress of the requests in `body`.
  func withProgress<Response>(_ text: Localized, _ body: () throws(Failure) -> Response) throws(Failure)
    -> Response
  {
    let connection = try connected()
    connection.progress = ProgressLine(text[invocation.language])
    defer { connection.progress = nil }
    return try body()
  }

  /// The answer of `vault/status`.
  func status() throws(Failure) -> Answer<VaultStatus.Response> {
    try send(VaultStatus()).mapError(\.whileOpening).getOrFail()
  }

  /// Fails if there is a vault already.
  ///
  /// - Returns: the path of the vault to make.
  @discardableResult
  func requireNone() throws(Failure) -> String {
    let status = try status()
    guard status.exists else { return status.path }
    throw .exit(.vault, Localized("there is already a vault: \(status.path)", "已有保险库：\(status.path)"))
  }

  /// Connects to the shared service if it runs; starts none.
  ///
  /// - Returns: whether it runs, and understands this program.
  func connectIfRunning() -> Bool {
    guard connection == nil, let path = try? Self.path(invocation.arguments),
      let transport = Transport.running(vault: path)
    else {
      return connection != nil
    }
    let connection = VaultConnection(transport)
    guard (try? connection.initialize()) != nil else {
      connection.close()
      return false
    }
    self.connection = connection
    return true
  }

  /// The connection for a new request. It is made at the first one, and again if the service has ended since, so that what was
  /// typed meanwhile is not lost.
  func connected() throws(Failure) -> VaultConnection {
    if let connection {
      if !connection.hasEnded() { return connection }
      close()
    }
    let arguments = invocation.arguments
    let transport: Transport
    if let own {
      transport = try .alone(["--vault", own.path], own.environment)
    } else if Self.isAlone(arguments) {
      transport = try .alone(["--vault", try Self.path(arguments)])
    } else {
      transport = try .shared(vault: try Self.path(arguments), isForAgent: isForAgent)
    }
    let connection = VaultConnection(transport)
    try connection.initialize(answersConsent: answersConsent)
    self.connection = connection
    return connection
  }
}

extension Failure {
  static func noVault(_ path: String) -> Failure {
    .exit(
      .noVault,
      Localized("there is no vault at \(path); qv init creates one", "没有保险库：\(path)。可用 qv init 创建"))
  }
}

extension Localized {
  /// What a new user has to know (R22): what is stored where, what leaves the machine, and that nobody can recover a password.
  static func welcome(_ path: String) -> Localized {
    Localized(
      """
      Welcome to QuickVault. There is no vault yet.
      Your addresses, invoice details and notes are kept encrypted in one file on this machine: \(path.printable)
      Nothing leaves this machine unless you turn on synchronisation, and then only encrypted; qv privacy says more.
      One master password protects everything: if you forget it, nobody can recover anything.

      """,
      """
      欢迎使用随取（QuickVault）。还没有保险库。
      您的地址、开票信息和笔记加密保存在本机的一个文件中：\(path.printable)
      除非您开启同步，任何内容都不会离开本机；同步的内容均已加密，详见 qv privacy。
      所有内容都由一个主密码保护；一旦忘记，谁也无法找回。

      """)
  }

  static let readOnly = Localized(
    "the vault can only be read: its file cannot be written, or the disk is full",
    "保险库目前只能查看：其文件无法写入，或磁盘已满")
  static let joining = Localized(
    "to use the vault of another machine, run qv sync join FOLDER; if it is on a server, first run qv account sign-in URL",
    "另一台电脑上已有保险库时，用“qv sync join 文件夹”取得；如由服务器传送，请先登录：qv account sign-in 网址")
  static let fingerprintEnabled = Localized(
    "you can now unlock the vault with your fingerprint", "现在可以用指纹解锁保险库了")
}
