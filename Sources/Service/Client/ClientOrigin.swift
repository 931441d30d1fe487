import VaultInterface
import Wire

/// The program behind a connection to the socket of a shared vault, as the kernel describes it (U).
struct ClientOrigin: Sendable, Hashable {
  let program: ClientProgram
  let process: ProcessIdentity
  let terminal: TerminalSession?

  /// What is admitted together with it.
  ///
  /// - Parameter sharing: with ``Settings/SharedUnlock/never`` the program alone, else its terminal.
  func scope(_ sharing: Settings.SharedUnlock) -> AdmissionScope {
    guard sharing != .never, let terminal else { return .process(process) }
    return .terminal(terminal)
  }
}

extension ClientOrigin {
  init(_ peer: PeerProcess) {
    self.init(name: peer.program.name, process: peer.owner, terminal: peer.terminal)
  }

  init(name: String, process: ProcessIdentity, terminal: TerminalSession?) {
    program = ClientProgram(
      name: name.asProgramName, process: process.process, terminal: terminal?.name)
    (self.process, self.terminal) = (process, terminal)
  }
}

extension ClientOrigin: JSONObject {
  static let coder = ObjectCoder(
    Self.init(name:process:terminal:), .required("name", \.program.name), .required("process", \.process),
    .optional("terminal", \.terminal))
}
