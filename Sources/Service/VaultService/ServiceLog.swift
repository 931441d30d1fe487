import Vault
import VaultInterface
import Wire

/// The log of a service: errors go to the error log, and with `--verbose` everything goes to standard error.
///
/// No line contains a parameter, a result, a message, a path, or a name that the program does not define itself.
struct ServiceLog: Sendable {
  private let errors: LineLog?
  private let repeated: ErrorRateLimiter
  private let verbose: (@Sendable (String) -> Void)?

  init(_ configuration: Server.Configuration) {
    errors = configuration.stateDirectory.map { LineLog(in: $0) }
    repeated = ErrorRateLimiter(clock: configuration.clock)
    verbose = configuration.log
  }

  /// Logs an event that is no error.
  func note(_ line: @autoclosure () -> String) {
    verbose?(line())
  }

  /// Logs an error.
  ///
  /// - Parameter source: the method, or the part of the program; nil for a request without a known method.
  func record(_ error: any Error, of source: String? = nil) {
    let descriptor = ErrorDescriptor(error)
    let cause = ErrorCause(of: error)?.description
    guard descriptor.isSilent || Self.refusals.contains(descriptor.kind) else {
      return record(kind: descriptor.kind, of: source, cause: cause)
    }
    note(Self.text(descriptor.kind, source, cause))
  }

  /// Logs an error that has no descriptor.
  func record(kind: String, of source: String? = nil, cause: String? = nil) {
    let text = Self.text(kind, source, cause)
    note(text)
    if errors != nil { write(repeated.add(text)) }
  }

  /// Writes the counts of repeated errors that are held back; to be called when the program ends.
  func finish() {
    write(repeated.finish())
  }

  private func write(_ lines: [ErrorRateLimiter.Line]) {
    for line in lines { errors?.append("\(line.time) \(Server.version) \(line.text)") }
  }

  private static func text(_ kind: String, _ source: String?, _ cause: String?) -> String {
    "\(source ?? "-"): \(kind)" + (cause.map { " (\($0))" } ?? "")
  }

  /// The kinds that are in no error log, besides silent ones: they are frequent, and nothing has failed.
  private static let refusals: Set = ["vault.locked", "auth.required", "rpc.cancelled"]
}

extension ErrorCause {
  /// The cause of an error; nil if its kind says all.
  init?(of error: any Error) {
    switch error {
    case let error as SystemError: self.init(name: "SystemError.\(error.call) errno=\(error.number)")
    case let error as StreamError: self.init(name: "StreamError.\(error.rawValue)")
    case let error as WorkerError: self.init(name: "WorkerError.\(ErrorKind.caseName(error))")
    case ProtocolError.invalidParameters(let error):
      self.init(name: "ParameterError.\(ErrorKind.caseName(error.expectation))")
    case ProtocolError.invalidRequest(_, let error): self.init(name: "MessageError.\(error.rawValue)")
    case ProtocolError.lifecycle(let error): self.init(name: "LifecycleError.\(error.rawValue)")
    case BiometricError.biometryNotAvailable(let obstacle): self.init(name: "Obstacle.\(obstacle.rawValue)")
    case is any ApplicationError where !(error is VaultError): return nil
    default:
      guard let cause = VaultError.cause(of: error) else { return nil }
      self = cause
    }
  }
}
