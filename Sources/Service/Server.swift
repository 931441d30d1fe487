import CLinux
import Glibc
public import Vault
public import Wire

/// Serves one vault: to one client over a pair of descriptors, or to many over a socket (U).
///
/// ```swift
/// let server = try Server(configuration, .pipes(input: 0, output: 1))
/// switch server.run() { … }
/// ```
///
/// Except for ``stop()``, members are used on the thread that calls ``run()``.
public final class Server: @unchecked Sendable {
  /// The program's version (Semantic Versioning 2.0).
  public static let version = "0.2.0"
  /// The protocol's version, raised by incompatible changes.
  public static let protocolVersion = 1

  /// The configuration of a server.
  public struct Configuration: Sendable {
    /// The path of the vault's file.
    public var vault: String
    /// The locale of the process's environment, such as `zh_CN.UTF-8`.
    public var locale: String
    /// Takes a line of the verbose log, which never contains anything private.
    public var log: (@Sendable (String) -> Void)?
    /// Whether the process's memory is locked; if not, the vault's log says so once.
    public var memoryIsLocked: Bool
    /// The directory of the helper programs; nil for the program's own and `../libexec/quickvault`.
    public var helpers: String?
    /// The program that asks for passwords; nil for the usual ones.
    public var pinentry: String?
    /// The descriptor of the process that starts the carrier; nil where there is none.
    public var starter: Int32?
    /// Identifies this user on this machine (T).
    public var device: String
    /// The directory of the error log and of the remembered state of vaults; nil for none.
    public var stateDirectory: String?
    /// Whether to serve a new demo vault, and never another.
    public var beginsWithDemo: Bool
    /// The directories for a demo vault, the best first.
    public var demoDirectories: [String]
    /// The clocks of the vault.
    public var clock: any Clock
    /// How long a turn of the event loop may take while the vault is unlocked, in seconds, before the process ends with SIGKILL;
    /// nil for any time. One process has one such server.
    public var longestTurn: Int64?
    /// Whether clients connect to a socket, so that one that ends does not lock the vault.
    var isShared = false
    /// Makes the timers of the idle lock and of imaging jobs.
    public var makeTimer: EventLoop.TimerFactory

    /// A configuration with the defaults of a program, such as the machine's clocks.
    public init(
      vault: String, locale: String, log: (@Sendable (String) -> Void)? = nil, memoryIsLocked: Bool = true,
      helpers: String? = nil, pinentry: String? = nil, starter: Int32? = nil, device: String? = nil,
      stateDirectory: String? = nil,
      beginsWithDemo: Bool = false,
      demoDirectories: [String] = ["/tmp"], longestTurn: Int64? = nil, clock: any Clock = SystemClock(),
      makeTimer: @escaping EventLoop.TimerFactory = { try LoopTimer(on: $0, $1) }
    ) {
      self.vault = vault
      self.locale = locale
      self.log = log
      self.memoryIsLocked = memoryIsLocked
      self.helpers = helpers
      self.pinentry = pinentry
      self.starter = starter
      self.device = device ?? DeviceName.ofThisUser
      self.stateDirectory = stateDirectory
      self.beginsWithDemo = beginsWithDemo
      self.demoDirectories = demoDirectories
      self.longestTurn = longestTurn
      self.clock = clock
      self.makeTimer = makeTimer
    }
  }

  /// How ``run()`` ends.
  public enum Outcome: Sendable {
    /// The conversation is over: the exit status, and a message for standard error.
    case ended(status: Int32, message: String?)
    /// The vault was locked, and a new process is to continue from here.
    case handedOff(HandoffState)
  }

  private let loop: EventLoop
  private let service: VaultService
  private let connections: ClientConnections
  /// Accepts the clients of a shared vault.
  private let listener: Listener?
  /// Ends a shared service that nobody uses.
  private var endTimer: (any EventLoop.Timer)?
  /// The clients that the replaced process left, until their conversations begin. What was read of them may hold a password.
  private var handedOff: [HandoffState.Client]
  private let endpoint: Endpoint

  /// Where the clients of a server are.
  public enum Endpoint: Sendable {
    /// One client on a pair of descriptors; nothing else may write to `output`.
    case pipes(input: Int32, output: Int32)
    /// Any number of clients, which connect to a listening socket (U).
    ///
    /// - Parameters:
    ///   - vault: the real path of the vault.
    ///   - inspector: the descriptor of the process that tells the programs of clients; nil for none.
    case socket(Int32, vault: String, inspector: Int32? = nil)
  }

  /// How long a shared service with a locked vault and without clients waits for another client, and one that keeps an account
  /// for a vault that is not there yet, or waits for its tokens.
  private static let endDelay = (usual: Duration.seconds(10), withAccount: Duration.seconds(3_600))

  private var keepsAccount: Bool {
    service.assumeIsolated { $0.account.waiting != nil || $0.account.refresh.isPending }
  }

  private func endIfStillUnused() {
    endTimer?.set(after: keepsAccount ? Self.endDelay.withAccount : Self.endDelay.usual)
  }

  /// A server, to be started with ``run()``.
  ///
  /// - Parameter handoffState: the state that the replaced process left.
  /// - Throws: ``SystemError`` if there is no descriptor left.
  public init(
    _ configuration: Configuration, _ endpoint: Endpoint, resuming handoffState: HandoffState = HandoffState()
  ) throws(SystemError) {
    var configuration = configuration
    if case .socket = endpoint { configuration.isShared = true }
    loop = try EventLoop()
    service = VaultService(loop: loop, configuration, resuming: handoffState.vault)
    connections = ClientConnections(loop, service)
    self.endpoint = endpoint
    handedOff = handoffState.clients
    switch endpoint {
    case .pipes: listener = nil
    case .socket(let socket, let vault, let inspector):
      listener = Listener(
        loop: loop, socket: socket, vault: vault, version: Self.version,
        executables: Executables(inspector: inspector), connections: Set(handoffState.sockets),
        makeTimer: configuration.makeTimer, makeRoom: { [connections] in connections.makeRoom() }
      ) { [connections] in connections.add($0) }
    }
    // After what the connections postponed, which writes answers: overwrites what they left on this thread's stack.
    loop.onIdle { linux_overwrite_stack() }
  }

  /// Serves the clients on the calling thread: until the conversation ends, or nobody uses a shared vault any more.
  public func run() -> Outcome {
    defer { service.log.finish() }
    connections.onClose = { [weak self] in self?.didClose($0) }
    Task { [service] in
      await service.start { [weak self] in self?.didChange() }
      await service.onLoop { self.startClients() }
    }
    VaultSession.prepare()
    loop.run()
    service.assumeIsolated { $0.workers.terminateAll() }
    let outcome = outcome()
    if case .ended = outcome { service.assumeIsolated { $0.vault.endDemo() } }
    service.assumeIsolated { $0.disconnectAll() }
    return outcome
  }

  /// Starts the conversations. Called on the loop's thread.
  private func startClients() {
    let clients = handedOff
    handedOff = []
    switch endpoint {
    case .pipes(let input, let output):
      connections.add(clients.first ?? HandoffState.Client(), input: input, output: output)
    case .socket:
      for client in clients {
        if let socket = client.socket { connections.add(client, input: socket, output: socket) }
      }
      do {
        endTimer = try service.configuration.makeTimer(loop) { [weak self] in self?.endIfUnused() }
        try listener?.assumeIsolated { try $0.start() }
      } catch {
        service.log.record(error, of: "quickvault")
        loop.stop()
      }
      if connections.isEmpty { endIfStillUnused() }
    }
    connections.haveBegun = true
    service.assumeIsolated { if $0.isStopping { $0.stop(connections) } }
  }

  /// Ends the conversations: locks the vault, tells the clients, and makes ``run()`` return. Called from any thread.
  public nonisolated func stop() {
    let (service, connections) = (service, connections)
    Task { await service.stop(connections) }
  }

  /// Ends the conversations on SIGTERM, SIGINT or SIGHUP, and ignores SIGPIPE and SIGXFSZ: for the process's only server.
  public func handleSignals() throws(SystemError) {
    let (service, connections) = (service, connections)
    try loop.onSignal { service.assumeIsolated { $0.stop(connections) } }
  }

  /// Handles the end of a connection.
  ///
  /// - Parameter socket: the socket to close; nil if it is kept, or was none.
  private func didClose(_ socket: Int32?) {
    if let socket { listener?.assumeIsolated { $0.close(socket) } }
    endIfDone()
    if connections.isEmpty { endIfStillUnused() }
  }

  /// Ends the process, or hands it over, with the last connection. Clients that connect from now on wait for the next process: this
  /// one would wait for their end.
  private func didChange() {
    if service.assumeIsolated({ $0.isHandingOff }) { _ = listener?.assumeIsolated { $0.stop() } }
    endIfDone()
  }

  /// Stops the loop when the last connection is over: of the only client, at a hand-off, or of a service that ends.
  private func endIfDone() {
    guard connections.isEmpty else { return }
    if listener == nil || service.assumeIsolated({ $0.isStopping || $0.isHandingOff }) { loop.stop() }
  }

  /// Stops the loop of a shared service that has no client, and whose vault is locked.
  private func endIfUnused() {
    guard connections.isEmpty, service.assumeIsolated({ $0.session.isLocked }) else { return }
    loop.stop()
  }

  /// Logs an error that ends the program, or keeps it from starting.
  public static func logFailure(_ error: any Error, _ configuration: Configuration) {
    ServiceLog(configuration).record(error, of: "quickvault")
  }

  private func outcome() -> Outcome {
    let clients = connections.handoffStates
    if let listener {
      _ = listener.assumeIsolated { $0.stop() }
      let isReplaced = service.assumeIsolated { $0.isHandingOff && !$0.isStopping }
      // Without a client, the next one starts a new process.
      guard isReplaced, !clients.isEmpty || keepsAccount else {
        service.assumeIsolated { $0.session.close() }
        return .ended(status: 0, message: nil)
      }
    }
    switch connections.lastReason {
    case .handedOff where service.assumeIsolated({ $0.isStopping }):
      return .ended(status: 0, message: nil)
    case .handedOff:
      return .handedOff(HandoffState(vault: service.assumeIsolated { $0.handoffState() }, clients: clients))
    case _ where listener != nil:
      return .handedOff(HandoffState(vault: service.assumeIsolated { $0.handoffState() }, clients: clients))
    case .exit(let afterShutdown): return .ended(status: afterShutdown ? 0 : 1, message: nil)
    case .endOfInput(.headers, let afterShutdown): return .ended(status: afterShutdown ? 0 : 1, message: nil)
    case .endOfInput, .stopped: return .ended(status: 0, message: nil)
    case .broken(let error):
      service.log.record(kind: "rpc.parseError", cause: ErrorCause(of: error)?.description)
      return .ended(status: 1, message: "the conversation ended: \(error.description)")
    case .unreadable: return .ended(status: 1, message: "the conversation ended: nobody reads the answers")
    case nil: return .ended(status: 1, message: "the conversation ended without a reason")
    }
  }
}
