import JSON
import EventLoop
import JSONRPC

/// The program's side of the conversation: it does what it is asked, one thing after another.
actor Desktop {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let services: DesktopServices
  private let watch: SessionWatch
  private let tell: @Sendable (any OutgoingNotification) -> Void

  init(
    _ services: DesktopServices, watch: SessionWatch,
    tell: @escaping @Sendable (any OutgoingNotification) -> Void
  ) {
    loop = services.loop
    self.services = services
    self.watch = watch
    self.tell = tell
  }

  private func result(_ request: IncomingRequest) async throws -> JSON? {
    let parameters = request.parameters
    switch request.method {
    case Initialize.method: return try Initialize.read(parameters).answer.json
    case DesktopStatus.method:
      _ = try DesktopStatus.read(parameters)
      return DesktopStatus.Answer(json: await services.status()).json
    case DesktopWatch.method:
      let request = try DesktopWatch.read(parameters)
      return await watch.watch(lock: request.lock, sleep: request.sleep).json
    case DesktopAllowSleep.method:
      _ = try DesktopAllowSleep.read(parameters)
      await watch.allowSleep()
      return .null
    case FingerprintVerify.method: return try await verify(FingerprintVerify.read(parameters)).json
    case KeychainStore.method:
      let request = try KeychainStore.read(parameters)
      let keychain = try await KeychainAccess(services, timeout: request.timeout)
      try await keychain.store(request.secret, as: request.item, label: request.label)
      return .null
    case KeychainRead.method:
      let request = try KeychainRead.read(parameters)
      let keychain = try await KeychainAccess(services, timeout: request.timeout)
      return KeychainRead.Answer(secret: try await keychain.read(request.item)).json
    case KeychainDelete.method:
      let request = try KeychainDelete.read(parameters)
      let keychain = try await KeychainAccess(services, timeout: request.timeout)
      return KeychainDelete.Answer(deleted: try await keychain.delete(request.item)).json
    default: return nil
    }
  }

  private func verify(_ request: FingerprintVerify) async throws(Refusal) -> Verification.Outcome {
    let bus: Bus
    do {
      bus = try services.connect(.system)
    } catch {
      throw Refusal(error)
    }
    let tell = tell
    let verification = Verification(
      bus: bus, loop: services.loop, timeout: request.timeout, attempts: request.attempts
    ) { tell($0) }
    return try await verification.outcome()
  }
}

extension Desktop: MessageHandler {
  func answer(_ request: IncomingRequest) async -> Reply {
    do {
      guard let result = try await result(request) else {
        return Reply(.failure(error(for: .methodNotFound(request.method))))
      }
      return Reply(.success(result))
    } catch let fault as ParameterError {
      return Reply(.failure(error(for: .invalidParameters(fault))))
    } catch let refusal as Refusal {
      return Reply(.failure(refusal.response ?? error(for: .cancelled)))
    } catch {
      return Reply(.failure(self.error(for: .internalError)))
    }
  }

  func note(_ notification: IncomingNotification) async -> (
    notifications: [any OutgoingNotification], handsOff: Bool
  ) {
    ([], false)
  }

  func error(for fault: ProtocolError) -> ResponseError {
    let (kind, words) = fault.words
    return ResponseError(code: fault.code, message: words, data: ["kind": .string(kind)])
  }

  func willEnd() -> [any OutgoingNotification] { [] }
}

extension ProtocolError {
  /// What the vault's process is told, which makes no such mistakes: a person reads this while writing another program.
  fileprivate var words: (kind: String, message: String) {
    switch self {
    case .malformedJSON: ("rpc.parseError", "The message is not JSON.")
    case .nestingTooDeep, .frameTooLarge, .invalidRequest, .outOfTurn:
      ("rpc.invalidRequest", "The message is no request that can be answered now.")
    case .methodNotFound(let name): ("rpc.methodNotFound", "There is no method \(name).")
    case .invalidParameters(let fault):
      ("rpc.invalidParameters", "\(fault.parameter) is not as protocol/DESKTOP.md says.")
    case .cancelled: ("rpc.cancelled", "The request was taken back.")
    case .internalError: ("rpc.internalError", "The program failed.")
    }
  }
}
