import JSON
import JSONRPC
import SharedService
import VaultModel
import VaultProtocol

/// The vault as commands use it. Unlocks a locked vault and creates a missing one when needed.
final class Vault {
  let invocation: Invocation
  private(set) var connection: VaultConnection?
  let passwords: PasswordSource
  /// Whether unlocking may end with the question whether to bind this device.
  var offersFingerprint = true

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
  func send(_ method: String, _ parameters: JSON = [:], cancelling: Int32? = nil) throws(Failure)
    -> Result<JSON, VaultError>
  {
    try connected().send(method, parameters, cancelling: cancelling).mapError(VaultError.init)
  }

  /// Sends a request. Unlocks a locked vault and repeats the request; asks again for the password where that is required.
  ///
  /// - Parameters:
  ///   - announces: whether a message of the server about what was done is shown.
  ///   - begun: the request, if it is sent already.
  ///   - password: the parameters that unlock the vault; nil to ask.
  func attempt(
    _ method: String, _ parameters: JSON = [:], announces: Bool = false, begun: RequestIdentifier? = nil,
    unlockingBy password: [JSON.Member]? = nil
  ) throws(Failure) -> Result<JSON, VaultError> {
    var begun = begun
    while true {
      let connection = if begun != nil, let open = self.connection { open } else { try connected() }
      let id = if let begun { begun } else { try connection.begin(method, parameters) }
      begun = nil
      let answer = try connection.answer(to: id).mapError { VaultError($0).naming(fileOf: parameters) }
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
        let unlocked = try send(SessionUnlock.method, .object(password))
        guard case .success(let state) = unlocked else { return unlocked }
        try after(state, password: nil)
      case "vault.notFound": try open()
      case "vault.changed":
        let state = try status()
        if state["locked"] == false { return answer }
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

  /// Sends a request like ``attempt(_:_:announces:begun:)``; an error ends the command.
  @discardableResult
  func request(
    _ method: String, _ parameters: JSON = [:], announces: Bool = false, begun: RequestIdentifier? = nil
  ) throws(Failure) -> JSON {
    try attempt(method, parameters, announces: announces, begun: begun).getOrFail()
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
  func status() throws(Failure) -> JSON {
    try send(VaultStatus.method).mapError(\.whileOpening).getOrFail()
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
    guard (try? connection.initialize(version: CommandLineProgram.version)) != nil else {
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
      transport = try .shared(vault: try Self.path(arguments))
    }
    let connection = VaultConnection(transport)
    try connection.initialize(version: CommandLineProgram.version)
    self.connection = connection
    return connection
  }
}

extension Result<JSON, VaultError> {
  /// Returns the answer; an error ends the command.
  func getOrFail() throws(VaultCommandLine.Failure) -> JSON {
    switch self {
    case .success(let answer): return answer
    case .failure(let error): throw error.failure
    }
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
  static let readOnly = Localized(
    "the vault can only be read: its file cannot be written, or the disk is full",
    "保险库目前只能查看：其文件无法写入，或磁盘已满")
  static let joining = Localized(
    "to use the vault of another machine, run qv sync join FOLDER; if it is on a server, first run qv account sign-in URL",
    "另一台电脑上已有保险库时，用“qv sync join 文件夹”取得；如由服务器传送，请先登录：qv account sign-in 网址")
  static let fingerprintEnabled = Localized(
    "you can now unlock the vault with your fingerprint", "现在可以用指纹解锁保险库了")
}
