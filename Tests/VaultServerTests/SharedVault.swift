import Foundation
import Glibc
import Service
import Synchronization
import TestSupport
import Testing
import Wire

/// A vault that a server in the test process shares over a socket, with clients that are processes of their own.
final class SharedVault {
  let directory: TemporaryDirectory
  let time = ControlledTime()
  let vault: String
  let socketPath: String
  private let socket: Int32
  private let end = End()

  private final class End: Sendable {
    let isThere = DispatchSemaphore(value: 0)
    let error = Mutex<String?>(nil)
    let handoffs = Mutex(0)
  }

  init() throws {
    directory = try TemporaryDirectory()
    vault = directory.appending("vault.quickvault")
    socketPath = directory.appending("socket")
    socket = try Self.listen(at: socketPath)
    let configuration = Server.Configuration(
      vault: vault, locale: "C", clock: time, makeTimer: time.makeTimer)
    Thread { [socket, vault, end] in
      let error = Self.serve(configuration, socket, vault, end.handoffs)
      // Not before: another test's socket would get its number, and this server that test's clients.
      close(socket)
      end.error.withLock { $0 = error }
      end.isThere.signal()
    }.start()
  }

  private static func listen(at path: String) throws -> Int32 {
    let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard socket >= 0, isBound == 0, Glibc.listen(socket, 64) == 0 else { throw Failure("listen: \(errno)") }
    return socket
  }

  /// Serves until nobody uses the vault, through every hand-off.
  private static func serve(
    _ configuration: Server.Configuration, _ socket: Int32, _ vault: String, _ handoffs: borrowing Mutex<Int>
  ) -> String? {
    var handoffState = HandoffState()
    while true {
      do {
        let server = try Server(configuration, .socket(socket, vault: vault), resuming: handoffState)
        switch server.run() {
        case .ended(let status, let message): return status == 0 ? nil : message ?? "status \(status)"
        case .handedOff(let next):
          guard let decoded = HandoffState(decoding: next.encoded) else { return "the state cannot be read" }
          handoffState = decoded
          handoffs.withLock { $0 += 1 }
        }
      } catch {
        return "\(error)"
      }
    }
  }

  /// How often the process would have been replaced.
  var handoffCount: Int { end.handoffs.withLock { $0 } }

  /// Why the service has ended; nil if it runs, or has ended as it should.
  var failure: String? { end.error.withLock { $0 } }

  /// Waits for the end of the service.
  func waitForEnd() throws {
    guard end.isThere.wait(timeout: Deadline.usual.dispatchTime) == .success else {
      throw Failure("the service does not end")
    }
    if let failure { throw Failure(failure) }
  }

  /// Starts a client, which is another program to the service, and initializes it.
  ///
  /// - Parameter ticket: what it presents to be admitted.
  func connect(answersConsent: Bool = false, inTerminal: Bool = false, ticket: String? = nil) throws
    -> SharedClient
  {
    let program = try RunningProgram(
      "/usr/bin/python3",
      [Repository.top.appending(path: "Tests/Support/socket_client.py").path, socketPath, vault]
        + (inTerminal ? ["--terminal"] : []) + (ticket.map { ["--ticket=\($0)"] } ?? []))
    let client = SharedClient(program)
    try client.call(
      "initialize", answersConsent ? #"{"capabilities":{"sessionAdmit":true}}"# : "{}")
    return client
  }
}

extension SharedVault {
  /// Starts a program that takes connections and keeps them, in as many processes of its own.
  ///
  /// - Parameter floods: whether it goes on to take new ones.
  func crowd(processes: Int, connections: Int, floods: Bool = false) throws -> RunningProgram {
    let program = try RunningProgram(
      "/usr/bin/python3",
      [
        Repository.top.appending(path: "Tests/Support/socket_crowd.py").path, socketPath, vault,
        "\(processes)", "\(connections)",
      ] + (floods ? ["--floods"] : []))
    _ = try program.channel.message()
    return program
  }
}

/// Runs a test on a vault that is shared. An error says also why the service ended, if it has.
func withSharedVault(_ body: @escaping @Sendable (SharedVault) throws -> Void) async throws {
  try await onThread {
    let vault = try SharedVault()
    do {
      try body(vault)
    } catch {
      throw vault.failure.map { Failure("\(error); the service: \($0)") } ?? error
    }
  }
}

/// A client of a ``SharedVault``.
final class SharedClient {
  /// The parameters that give the password of ``createVault()``.
  static let password = #"{"password":"correct horse 电池"}"#

  let program: RunningProgram
  private var lastIdentifier = 0
  private var kept: [JSON] = []

  init(_ program: RunningProgram) {
    self.program = program
  }

  /// Creates the vault.
  func createVault() throws {
    let answer = try call(
      "vault/create",
      #"{"password":"correct horse 电池","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}}"#)
    try #require(answer.result != nil, "\(answer.text)")
  }

  /// Connects again, as another run of a program in the same terminal does.
  func reconnect() throws {
    try program.channel.write([0])
    try call("initialize")
  }

  /// Sends a request and waits for its answer; what comes before it is kept.
  @discardableResult func call(_ method: String, _ parameters: String = "{}") throws -> JSON {
    try answer(to: send(method, parameters))
  }

  /// Sends a request.
  ///
  /// - Returns: its id.
  func send(_ method: String, _ parameters: String = "{}") throws -> Int {
    lastIdentifier += 1
    try program.channel.send(
      #"{"jsonrpc":"2.0","id":\#(lastIdentifier),"method":"\#(method)","params":\#(parameters)}"#)
    return lastIdentifier
  }

  func notify(_ method: String) throws {
    try program.channel.send(#"{"jsonrpc":"2.0","method":"\#(method)"}"#)
  }

  /// Waits for the answer to a request.
  func answer(to id: Int) throws -> JSON {
    try take { $0["id"]?.integer == id && $0["method"] == nil }
  }

  /// Waits for a notification or a request of the server.
  func message(_ method: String) throws -> JSON {
    try take { $0["method"]?.string == method }
  }

  /// Whether a message of this method came before the last one that was taken.
  func hasKept(_ method: String) -> Bool {
    kept.contains { $0["method"]?.string == method }
  }

  private func take(_ isWanted: (JSON) -> Bool) throws -> JSON {
    if let index = kept.firstIndex(where: isWanted) { return kept.remove(at: index) }
    while true {
      let message = try JSONReader.read(Array(program.channel.message().utf8))
      if isWanted(message) { return message }
      kept.append(message)
    }
  }
}

extension JSON {
  var result: JSON? { self["result"] }
  var errorKind: String? { self["error"]?["data"]?["kind"]?.string }
}
