import CLinux
import Glibc

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
