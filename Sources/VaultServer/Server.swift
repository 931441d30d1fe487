public import EventLoop
import CLinux
import Glibc
import JSONRPC
public import VaultSession

/// One vault served to one client over a pair of descriptors.
///
/// ```swift
/// let server = try Server(configuration, input: 0, output: 1)
/// switch server.run() { … }
/// ```
public final class Server {
  /// The program's version (Semantic Versioning 2.0).
  public static let version = "0.2.0"
  /// The protocol's version, which grows when a client of the old one would fail.
  public static let protocolVersion = 1

  /// What a server is told when it starts.
  public struct Configuration: Sendable {
    /// The path of the vault's file.
    public var vault: String
    /// The locale of the process's environment, such as `zh_CN.UTF-8`.
    public var locale: String
    /// Takes a line about what is being done, for a person to read; nothing private is ever in it.
    public var log: (@Sendable (String) -> Void)?
    /// Whether the process's memory is never written to swap; where it is not, the vault's log says so once.
    public var memoryIsLocked: Bool
    /// Where the programs are that the server starts; nil for beside its own and in `../libexec/quickvault`.
    public var helpers: String?
    /// What tells this user of this machine from every other (T).
    public var device: String
    /// Whether the conversation is about a new demo vault from its beginning, and never about another.
    public var beginsWithDemo: Bool
    /// The directories in which a demo vault may be made, the best first.
    public var demoPlaces: [String]
    /// The times to go by.
    public var clock: any Clock
    /// Makes the timer that locks the vault.
    public var makeTimer: TimerFactory

    /// What a program is told on its command line, with the machine's own clocks.
    public init(
      vault: String, locale: String, log: (@Sendable (String) -> Void)? = nil, memoryIsLocked: Bool = true,
      helpers: String? = nil, device: String? = nil, beginsWithDemo: Bool = false,
      demoPlaces: [String] = ["/tmp"], clock: any Clock = SystemClock(),
      makeTimer: @escaping TimerFactory = BootTimer.make
    ) {
      self.vault = vault
      self.locale = locale
      self.log = log
      self.memoryIsLocked = memoryIsLocked
      self.helpers = helpers
      self.device = device ?? DeviceName.ofThisUser
      self.beginsWithDemo = beginsWithDemo
      self.demoPlaces = demoPlaces
      self.clock = clock
      self.makeTimer = makeTimer
    }
  }

  /// What becomes of a server.
  public enum Outcome: Sendable {
    /// It is done: the exit status, and what to tell on standard error.
    case ended(status: Int32, message: String?)
    /// The vault was locked, and a new process is to go on from here.
    case handedOff(HandoffState)
  }

  private let loop: EventLoop
  private let service: VaultService
  /// The one client.
  private let client = ClientIdentifier(number: 1)
  private let connection: Connection
  private let clientState: HandoffState.Client

  /// A server that begins with ``run()``.
  ///
  /// - Parameters:
  ///   - configuration: the vault and its surroundings.
  ///   - input: where requests come from.
  ///   - output: where answers go; nothing else may write there.
  ///   - handoffState: what another process left, when one did.
  /// - Throws: ``SystemError`` where the system refuses a descriptor.
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
    // Behind the answers, and so behind the connection's own action: what they left on this thread's stack.
    loop.onIdle { linux_overwrite_stack() }
  }

  /// Holds the conversation to its end on the calling thread.
  public func run() -> Outcome {
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

  /// Ends the conversation: the vault is locked, the client told, and ``run()`` returns. Called from any thread.
  public nonisolated func stop() {
    let connection = connection
    Task { await connection.stop() }
  }

  /// Ends the conversation when SIGTERM, SIGINT or SIGHUP comes, and ignores SIGPIPE: for the process's one server.
  public func handleSignals() throws(SystemError) {
    let descriptor = linux_signal_descriptor()
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    let connection = connection
    loop.watch(descriptor, for: .reading) {
      while linux_next_signal(descriptor) != 0 { connection.assumeIsolated { $0.stop() } }
    }
  }

  private func outcome() -> Outcome {
    switch connection.assumeIsolated({ $0.ending }) {
    case .handedOff(let streamState, let stage):
      return .handedOff(
        service.assumeIsolated { [client] in
          $0.handoffState(of: client, stage: stage, streamState: streamState)
        })
    case .exit(let afterShutdown): return .ended(status: afterShutdown ? 0 : 1, message: nil)
    case .endOfInput(.headers, let afterShutdown): return .ended(status: afterShutdown ? 0 : 1, message: nil)
    case .endOfInput, .stopped: return .ended(status: 0, message: nil)
    case .broken(let fault): return .ended(status: 1, message: "the conversation ended: \(fault.description)")
    case .unreadable: return .ended(status: 1, message: "the conversation ended: nobody reads the answers")
    case nil: return .ended(status: 1, message: "the conversation ended without a reason")
    }
  }
}
