import CLinux
import Glibc
import VaultInterface
import Wire

/// The program behind a connection to the socket of a shared vault, as the kernel describes it (U).
struct ClientOrigin: Sendable, Hashable {
  let program: ClientProgram
  let process: ProcessIdentity
  /// The processes that started it, the nearest first.
  let ancestors: [ProcessIdentity]
  let terminal: TerminalSession?
  /// The terminal of the process that connected, which may be a relay; nil if there is none, or it is ``terminal``.
  let relayTerminal: TerminalSession?
  /// The process that connected, if it speaks for ``program``, an agent; nil for any other client.
  let agentServer: ProcessIdentity?

  /// What is admitted together with it.
  ///
  /// - Parameter sharing: with ``Settings/SharedUnlock/never`` the program alone, else its terminal.
  func scope(_ sharing: Settings.SharedUnlock) -> AdmissionScope {
    guard sharing != .never, let terminal else { return .process(process) }
    return .terminal(terminal)
  }
}

extension ClientOrigin {
  /// The program as a question shows it: without its terminal if another terminal may have the same name.
  var shownProgram: ClientProgram {
    var shown = program
    if terminal?.hasCertainName == false { shown.terminal = nil }
    return shown
  }

  /// Whether a terminal of this name, and no other, is the client's.
  func hasTerminal(_ name: String) -> Bool {
    [terminal, relayTerminal].contains { $0?.name == name && $0?.hasCertainName == true }
  }

  init(_ peer: PeerProcess, isForAgent: Bool = false) {
    self.init(
      name: peer.program.name, process: peer.owner, ancestors: peer.program.ancestors,
      terminal: peer.terminal, relayTerminal: peer.process.terminal,
      agentServer: isForAgent ? peer.process.identity : nil)
  }

  init(
    name: String, process: ProcessIdentity, ancestors: [ProcessIdentity] = [], terminal: TerminalSession?,
    relayTerminal: TerminalSession? = nil, agentServer: ProcessIdentity? = nil
  ) {
    program = ClientProgram(
      name: name.asProgramName, process: process.process, terminal: terminal?.name)
    (self.process, self.ancestors, self.terminal) = (process, ancestors, terminal)
    self.relayTerminal = relayTerminal == terminal ? nil : relayTerminal
    self.agentServer = agentServer
  }
}

extension ClientOrigin: JSONObject {
  static let coder = ObjectCoder(
    Self.init(name:process:ancestors:terminal:relayTerminal:agentServer:), .required("name", \.program.name),
    .required("process", \.process), .member("ancestors", \.ancestors, default: []),
    .optional("terminal", \.terminal), .optional("relayTerminal", \.relayTerminal),
    .optional("agentServer", \.agentServer))
}

/// Watches the client's process, and stops the connection when it ends.
final class ClientProcessMonitor: Sendable {
  private let loop: EventLoop
  private let descriptor: Int32

  /// Watches a process.
  ///
  /// - Parameter wasSeen: whether the process was there before, so that the connection is stopped at once if it is not. One that
  ///   was never seen may be in another container.
  /// - Returns: nil if there is no such process, or the system cannot watch it.
  init?(_ process: Int, wasSeen: Bool, on loop: EventLoop, of connection: Connection) {
    guard let process = Int32(exactly: process), process > 0 else { return nil }
    descriptor = linux_process_descriptor(process)
    guard descriptor >= 0 else {
      if errno == ESRCH, wasSeen { Task { await connection.stop() } }
      return nil
    }
    self.loop = loop
    loop.watch(descriptor, for: .reading) { connection.assumeIsolated { $0.stop() } }
  }

  deinit {
    loop.unwatch(descriptor)
    close(descriptor)
  }
}

/// The name of this machine.
enum HostName {
  /// Returns the name that the user gave the machine; the host name without one, as an empty one could not be told from others.
  static func unless(_ given: String?) -> String {
    let name = given?.trimmed ?? ""
    return name.isEmpty ? current : name
  }

  private static var current: String {
    var name = utsname()
    guard unsafe uname(&name) == 0 else { return "" }
    return unsafe withUnsafeBytes(of: &name.nodename) { bytes in
      unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
