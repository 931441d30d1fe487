import CLinux
import Glibc

/// A client's connection to a service that has accepted its greeting.
package struct ServiceConnection: Hashable, Sendable {
  package enum Failure: Error, Hashable, Sendable {
    case directory(ServiceDirectory.Refusal)
    case system(SystemError)
    /// The socket is another user's.
    case otherUser(UInt32)
    case refused(GreetingResponse.Refusal, version: String)
    /// The service closed the connection before its answer: it was about to end, or to lock. Another attempt may succeed.
    case closed
    /// No answer came in time, or none that is understood.
    case noAnswer
  }

  /// The connected socket, whose next bytes are the first of the conversation.
  package let descriptor: Int32
  /// The version of the service's program.
  package let version: String
  /// The service's process.
  package let process: Int

  /// How long a connection is waited for, and then its answer.
  private static let timeout = Duration.seconds(10)

  /// Connects to the service of a place.
  ///
  /// - Returns: nil if there is none.
  package static func open(_ place: ServiceLocation, _ greeting: Greeting) throws(Failure) -> Self? {
    guard let directory = try directory(of: place) else { return nil }
    for name in [place.socketName, place.unitSocketName] {
      guard let socket = try connect(to: directory.path(of: name)) else { continue }
      do throws(Failure) {
        return try greet(socket, greeting, as: place.user)
      } catch {
        close(socket)
        throw error
      }
    }
    return nil
  }

  private static func directory(of place: ServiceLocation) throws(Failure) -> ServiceDirectory? {
    do {
      return try ServiceDirectory.open(place, creating: false)
    } catch {
      throw .directory(error)
    }
  }

  /// - Returns: nil if nobody listens.
  private static func connect(to path: String) throws(Failure) -> Int32? {
    let socket = linux_socket()
    guard socket >= 0 else { throw .system(SystemError("socket")) }
    if unsafe linux_connect(socket, path, Int32(timeout.components.seconds)) == 0 { return socket }
    let failure = SystemError("connect")
    close(socket)
    if [ENOENT, ECONNREFUSED, ENAMETOOLONG, ENOTSOCK].contains(failure.number) { return nil }
    throw .system(failure)
  }

  private static func greet(_ socket: Int32, _ greeting: Greeting, as user: UInt32) throws(Failure) -> Self {
    do {
      let owner = try PeerProcess.user(of: socket)
      guard owner == user else { throw Failure.otherUser(owner) }
    } catch let error as Failure {
      throw error
    } catch {
      throw .closed
    }
    // A service that refuses may have closed the connection already; its answer is there all the same.
    let line = greeting.line
    _ = unsafe linux_send(socket, line, line.count)
    switch try answer(from: socket) {
    case .accepted(let version, let process):
      return Self(descriptor: socket, version: version, process: process)
    case .refused(let refusal, let version): throw .refused(refusal, version: version)
    }
  }

  /// Reads the answer to a greeting.
  ///
  /// - Parameter timeout: how long the whole answer may take, however often a part of it arrives.
  static func answer(from socket: Int32, within timeout: Duration = timeout) throws(Failure)
    -> GreetingResponse
  {
    let end = ContinuousClock.now + timeout
    var reader = LineReader(limit: GreetingResponse.limit)
    while true {
      switch reader.read(from: socket) {
      case .line(let line):
        guard let answer = GreetingResponse(line: line) else { throw .noAnswer }
        return answer
      case .closed: throw .closed
      case .tooLong: throw .noAnswer
      case .incomplete:
        let left = max((end - .now) / .milliseconds(1), 0)
        var query = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        let ready = unsafe poll(&query, 1, Int32(left))
        guard ready > 0 || ready < 0 && errno == EINTR else { throw .noAnswer }
      }
    }
  }
}

/// Connects to a service, and starts one where there is none.
package enum ServiceStart {
  package enum Failure: Error, Hashable, Sendable {
    case connection(ServiceConnection.Failure)
    /// The program could not be executed.
    case system(SystemError)
    /// The service ended with this status before it listened. It has said why on standard error.
    case ended(status: Int32)
    /// The service listens, but is not found.
    case notFound
  }

  /// A service that is about to end may accept a connection that it does not serve.
  private static let attempts = 4

  /// - Parameters:
  ///   - program: the file of quickvault; nil for that of this process.
  ///   - arguments: those of a service that goes on in the background once it listens.
  package static func connect(
    to place: ServiceLocation, _ greeting: Greeting, program: String? = nil, startingWith arguments: [String]
  ) throws(Failure) -> ServiceConnection {
    var failure = Failure.notFound
    for _ in 0..<attempts {
      do throws(ServiceConnection.Failure) {
        if let connection = try ServiceConnection.open(place, greeting) { return connection }
      } catch .closed {
        failure = .connection(.closed)
        continue
      } catch {
        throw .connection(error)
      }
      failure = .notFound
      try start(program, arguments)
    }
    throw failure
  }

  /// Starts the service, and waits until it listens.
  private static func start(_ program: String?, _ arguments: [String]) throws(Failure) {
    guard let program = program ?? Executables.ownPath else { throw .system(SystemError("readlink")) }
    let status = unsafe ArgumentVector.with(
      ["quickvault"] + arguments, environment: ServiceEnvironment.reduced
    ) { unsafe linux_run(program, $0, $1) }
    guard status >= 0 else { throw .system(SystemError("execve \(program)")) }
    guard status == 0 else { throw .ended(status: status) }
  }
}

/// The parts of a service that survive when its process replaces itself: location, socket, lock and inspector.
package struct RunningService: JSONObject, Hashable {
  package let place: ServiceLocation
  package let socket: ServiceSocket
  /// The descriptor of the inspector (``Executables``); nil if there is none.
  package private(set) var inspector: Int?

  package init(place: ServiceLocation, socket: ServiceSocket) {
    self.init(place: place, socket: socket, inspector: nil)
  }

  private init(place: ServiceLocation, socket: ServiceSocket, inspector: Int?) {
    (self.place, self.socket, self.inspector) = (place, socket, inspector)
  }

  package static let coder = ObjectCoder(
    Self.init(place:socket:inspector:), .required("place", \.place), .required("socket", \.socket),
    .optional("inspector", \.inspector))

  /// Starts the inspector, if it can be started. The calling thread must be the only one.
  package mutating func startInspector() {
    inspector = Executables.startInspector().map(Int.init)
  }

  /// The descriptors that the next process needs.
  package var descriptors: [Int32] {
    ([socket.descriptor, socket.lock] + [inspector].compactMap(\.self)).compactMap(Int32.init(exactly:))
  }

  /// Whether the descriptors are open, and the socket's is one of a listening socket.
  package var isValid: Bool {
    socket.isValid && inspector.map { Int32(exactly: $0).map { fcntl($0, F_GETFD) >= 0 } ?? false } ?? true
  }
}

/// The environment of a service. It serves clients of many terminals and desktops, so nothing comes from where it was started but
/// the user's directories and language.
package enum ServiceEnvironment {
  private static let names: Set<String> = [
    "HOME", "LANG", "LC_ALL", "LC_MESSAGES", "LOGNAME", "PATH", "TZ", "USER", "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME",
  ]

  /// The variables of this process that a service needs, each as `NAME=VALUE`.
  package static var reduced: [String] {
    ProcessEnvironment.entries.filter { names.contains(name(of: $0)) }
  }

  /// Removes all other variables from this process.
  package static func reduce() {
    for name in ProcessEnvironment.entries.map(name) where !names.contains(name) { unsafe unsetenv(name) }
  }

  private static func name(of entry: String) -> String { String(entry.prefix { $0 != "=" }) }
}
