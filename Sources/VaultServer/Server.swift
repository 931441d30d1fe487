public import EventLoop
import CLinux
import Glibc
import JSONRPC
public import VaultSession

/// Serves one vault to one client over a pair of descriptors.
///
/// ```swift
/// let server = try Server(configuration, input: 0, output: 1)
/// switch server.run() { … }
/// ```
public final class Server {
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
    /// Identifies this user on this machine (T).
    public var device: String
    /// The directory of the error log and of the remembered state of vaults; nil for none.
    public var stateDirectory: String?
    /// Whether to serve a new demo vault, and never another.
    public var beginsWithDemo: Bool
    /// The directories for a demo vault, the best first.
    public var demoPlaces: [String]
    /// The clocks of the vault.
    public var clock: any Clock
    /// Makes the timers of the idle lock and of imaging jobs.
    public var makeTimer: EventLoop.TimerFactory

    /// A configuration with the defaults of a program, such as the machine's clocks.
    public init(
      vault: String, locale: String, log: (@Sendable (String) -> Void)? = nil, memoryIsLocked: Bool = true,
      helpers: String? = nil, device: String? = nil, stateDirectory: String? = nil,
      beginsWithDemo: Bool = false,
      demoPlaces: [String] = ["/tmp"], clock: any Clock = SystemClock(),
      makeTimer: @escaping EventLoop.TimerFactory = { try LoopTimer(on: $0, $1) }
    ) {
      self.vault = vault
      self.locale = locale
      self.log = log
      self.memoryIsLocked = memoryIsLocked
      self.helpers = helpers
      self.device = device ?? DeviceName.ofThisUser
      self.stateDirectory = stateDirectory
      self.beginsWithDemo = beginsWithDemo
      self.demoPlaces = demoPlaces
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
  /// The one client.
  private let client = ClientIdentifier(number: 1)
  private let connection: Connection
  private let clientState: HandoffState.Client

  /// A server, to be started with ``run()``.
  ///
  /// - Parameters:
  ///   - input: the descriptor of requests.
  ///   - output: the descriptor of answers; nothing else may write there.
  ///   - handoffState: the state that the replaced process left.
  /// - Throws: ``SystemError`` if there is no descriptor left.
  public init(
    _ configuration: Configuration, input: Int32, output: Int32,
    resuming handoffState: HandoffState = HandoffState()
  ) throws(SystemError) {
    loop = try EventLoop()
    service = VaultService(loop: loop, configuration, resuming: handoffState.vault)
    clientState = handoffState.client
    connection = Connection(
      loop: loop, input: input, output: output, resuming: clientState.streamState, at: clientState.stage,
      handler: ClientHandler(service: service, client: client))
    // After the connection's own idle action, which writes answers: overwrites what they left on this thread's stack.
    loop.onIdle { linux_overwrite_stack() }
  }

  /// Serves the client on the calling thread until the conversation ends.
  public func run() -> Outcome {
    defer { service.log.finish() }
    Task { [service, connection, client, clientState] in
      await service.connect(client, on: connection, resuming: clientState)
      await service.start()
      await connection.start()
    }
    VaultSession.prepare()
    loop.run()
    service.assumeIsolated { $0.workers.terminateAll() }
    let outcome = outcome()
    if case .ended = outcome { service.assumeIsolated { $0.vault.endDemo() } }
    service.assumeIsolated { $0.disconnectAll() }
    return outcome
  }

  /// Ends the conversation: locks the vault, tells the client, and makes ``run()`` return. Called from any thread.
  public nonisolated func stop() {
    let connection = connection
    Task { await connection.stop() }
  }

  /// Ends the conversation on SIGTERM, SIGINT or SIGHUP, and ignores SIGPIPE: for the process's only server.
  public func handleSignals() throws(SystemError) {
    let descriptor = linux_signal_descriptor()
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    let connection = connection
    loop.watch(descriptor, for: .reading) {
      while linux_next_signal(descriptor) != 0 { connection.assumeIsolated { $0.stop() } }
    }
  }

  /// Logs an error that ends the program, or keeps it from starting.
  public static func logFailure(_ error: any Error, _ configuration: Configuration) {
    ServiceLog(configuration).record(error, of: "quickvault")
  }

  private func outcome() -> Outcome {
    switch connection.assumeIsolated({ $0.closeReason }) {
    case .handedOff(let streamState, let stage):
      return .handedOff(
        service.assumeIsolated { [client] in
          $0.handoffState(of: client, stage: stage, streamState: streamState)
        })
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
