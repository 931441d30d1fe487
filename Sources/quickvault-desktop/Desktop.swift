import DesktopProtocol
import EventLoop
import JSON
import JSONRPC

/// Answers requests, one after another.
actor Desktop {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let services: DesktopServices
  private let watch: SessionWatch
  private let notify: @Sendable (any OutgoingNotification) -> Void

  init(
    _ services: DesktopServices, watch: SessionWatch,
    notify: @escaping @Sendable (any OutgoingNotification) -> Void
  ) {
    loop = services.loop
    (self.services, self.watch, self.notify) = (services, watch, notify)
  }

  private func result(_ request: IncomingRequest) async throws -> JSON? {
    let parameters = request.parameters
    switch request.method {
    case "initialize":
      _ = try Parameters(parameters)
      return ["name": "quickvault-desktop", "version": "0.2.0", "protocolVersion": 1]
    case DesktopStatus.method:
      _ = try DesktopStatus.read(parameters)
      return await services.status().json
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
      guard let secret = DeviceSecret(base64: request.secret) else { throw ParameterError("secret", .string) }
      let keychain = try await KeychainAccess(services, timeout: .seconds(request.timeoutSeconds))
      try await keychain.store(secret, as: request.item, label: request.label)
      return .null
    case KeychainRead.method:
      let request = try KeychainRead.read(parameters)
      let keychain = try await KeychainAccess(services, timeout: .seconds(request.timeoutSeconds))
      return KeychainRead.Answer(secret: try await keychain.read(request.item).base64).json
    case KeychainDelete.method:
      let request = try KeychainDelete.read(parameters)
      let keychain = try await KeychainAccess(services, timeout: .seconds(request.timeoutSeconds))
      return KeychainDelete.Answer(deleted: try await keychain.delete(request.item)).json
    default: return nil
    }
  }

  private func verify(_ request: FingerprintVerify) async throws(DesktopError) -> FingerprintVerify.Answer {
    let bus: Bus
    do {
      bus = try services.connect(.system)
    } catch {
      throw DesktopError(fingerprint: error)
    }
    let notify = notify
    let verification = Verification(
      bus: bus, loop: services.loop, timeout: .seconds(request.timeoutSeconds), attempts: request.attempts
    ) { notify($0) }
    return try await verification.answer()
  }
}

extension Desktop: MessageHandler {
  func answer(_ request: IncomingRequest) async -> Reply {
    do {
      guard let result = try await result(request) else {
        return Reply(.failure(error(for: .methodNotFound(request.method))))
      }
      return Reply(.success(result))
    } catch let error as ParameterError {
      return Reply(.failure(self.error(for: .invalidParameters(error))))
    } catch let error as DesktopError {
      return Reply(.failure(error.response))
    } catch {
      return Reply(.failure(self.error(for: .internalError)))
    }
  }

  func handle(_ notification: IncomingNotification) async -> (
    notifications: [any OutgoingNotification], handsOff: Bool
  ) {
    ([], false)
  }

  func error(for error: ProtocolError) -> ResponseError {
    let (kind, message) = error.descriptor
    return ResponseError(code: error.code, message: message, data: ["kind": .string(kind)])
  }

  func willEnd() -> [any OutgoingNotification] { [] }
}

extension ProtocolError {
  fileprivate var descriptor: (kind: String, message: String) {
    switch self {
    case .malformedJSON: ("rpc.parseError", "The message is not JSON.")
    case .nestingTooDeep, .frameTooLarge, .invalidRequest, .outOfTurn:
      ("rpc.invalidRequest", "The request is invalid at this point.")
    case .methodNotFound(let name): ("rpc.methodNotFound", "There is no method \(name).")
    case .invalidParameters(let error):
      ("rpc.invalidParameters", "\(error.parameter) is invalid; see protocol/DESKTOP.md.")
    case .answerTooLarge: ("rpc.responseTooLarge", "The response would be too long.")
    case .batchTooLarge: ("rpc.batchTooLarge", "The responses of the batch are too long.")
    case .cancelled: ("rpc.cancelled", "The request was cancelled.")
    case .internalError: ("rpc.internalError", "The program failed.")
    }
  }
}
