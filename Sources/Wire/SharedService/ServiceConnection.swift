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
