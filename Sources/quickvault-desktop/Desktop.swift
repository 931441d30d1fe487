import Glibc
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

/// The connections to the desktop's buses, and the session of the vault's process. Used on the loop's thread only.
final class DesktopServices: @unchecked Sendable {
  let loop: EventLoop
  /// The vault's process, whose session counts.
  private let parent = getppid()
  private let sessionName: String?
  private var shared: [Bus.Kind: Bus] = [:]
  private var open: [WeakReference] = []

  private struct WeakReference {
    weak var bus: Bus?
  }

  /// - Parameter sessionName: logind's session ID from the environment.
  init(_ loop: EventLoop, sessionName: String?) {
    self.loop = loop
    self.sessionName = sessionName
    loop.onIdle { [weak self] in
      guard let self else { return }
      for reference in open { reference.bus?.process() }
    }
  }

  /// Returns the shared connection to the system bus.
  func system() throws(Availability) -> Bus {
    try sharedBus(.system)
  }

  /// Returns the shared connection to the session bus.
  func session() throws(Availability) -> Bus {
    try sharedBus(.session)
  }

  /// Opens a new connection, which closes when the caller releases it.
  func connect(_ kind: Bus.Kind) throws(Availability) -> Bus {
    do {
      let bus = try Bus(kind, on: loop)
      open.removeAll { $0.bus == nil }
      open.append(WeakReference(bus: bus))
      return bus
    } catch {
      throw Availability(.busMissing, package: kind == .system ? "dbus" : "dbus-user-session")
    }
  }

  /// Returns the session of the vault's process, or nil if there is none.
  func session(_ manager: LoginManager) async -> LoginSession? {
    await manager.session(of: parent, environment: sessionName)
  }

  private func sharedBus(_ kind: Bus.Kind) throws(Availability) -> Bus {
    if let bus = shared[kind], bus.isOpen { return bus }
    shared[kind] = nil
    let bus = try connect(kind)
    shared[kind] = bus
    return bus
  }

  /// Checks every part of the desktop.
  func status() async -> DesktopStatus.Response {
    DesktopStatus.Response(
      fingerprint: await fingerprint(), keychain: await keychain(), session: await loginSession())
  }

  private func fingerprint() async -> DesktopStatus.Part {
    do {
      let reader = try await FingerprintReader(on: try system())
      do {
        let fingers = try await reader.enrolledFingers()
        var part = reader.status(Availability(.ready))
        part.fingers = fingers
        part.enrollment = reader.enrollment(of: fingers)
        return part
      } catch {
        return reader.status(error)
      }
    } catch {
      return DesktopStatus.Part(error)
    }
  }

  private func keychain() async -> DesktopStatus.Part {
    do {
      return DesktopStatus.Part(try await Keychain(on: try session()).availability())
    } catch {
      return DesktopStatus.Part(error)
    }
  }

  private func loginSession() async -> DesktopStatus.Part {
    do throws(Availability) {
      let bus = try system()
      let manager: LoginManager
      do {
        manager = try await LoginManager(on: bus)
      } catch {
        throw Availability(error, service: "systemd")
      }
      guard let session = await session(manager), let isLocked = try? await session.isLocked() else {
        throw Availability(.none)
      }
      var part = DesktopStatus.Part(Availability(.ready))
      part.id = session.id
      part.isLocked = isLocked
      return part
    } catch {
      return DesktopStatus.Part(error)
    }
  }
}

extension Availability {
  /// Interprets a failed call to a service, which `package` provides.
  init(_ error: BusError, service package: String) {
    switch error {
    case _ where error.isServiceMissing: self.init(.serviceMissing, package: package)
    case .failed(name: "org.freedesktop.DBus.Error.AccessDenied"): self.init(.permissionDenied)
    default: self.init(.failed)
    }
  }
}
