import HelperProtocols
import Wire

/// Answers requests, one after another.
actor Desktop {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let services: DesktopServices
  private let watch: SessionMonitor
  private let notify: @Sendable (any OutgoingNotification) -> Void

  init(
    _ services: DesktopServices, watch: SessionMonitor,
    notify: @escaping @Sendable (any OutgoingNotification) -> Void
  ) {
    loop = services.loop
    (self.services, self.watch, self.notify) = (services, watch, notify)
  }

  func result(_ request: IncomingRequest) async throws -> JSON? {
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
      guard let secret = KeychainSecret(base64: request.secret, for: request.item.purpose) else {
        throw ParameterError("secret", .string)
      }
      let keychain = try await KeychainAccess(services, request)
      try await keychain.store(secret, as: request.item, label: request.label)
      return .null
    case KeychainRead.method:
      let request = try KeychainRead.read(parameters)
      let keychain = try await KeychainAccess(services, request)
      return KeychainRead.Response(secret: try await keychain.read(request.item).base64).json
    case KeychainDelete.method:
      let request = try KeychainDelete.read(parameters)
      let keychain = try await KeychainAccess(services, request)
      return KeychainDelete.Response(deleted: try await keychain.delete(request.item)).json
    default: return nil
    }
  }

  private func verify(_ request: FingerprintVerify) async throws(DesktopError) -> FingerprintVerify.Response {
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

extension Desktop: WorkerHandler {
  static let guide = "protocol/DESKTOP.md"

  func response(to error: any Error) -> ResponseError? { (error as? DesktopError)?.response }
}
