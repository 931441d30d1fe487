import Glibc
import HelperProtocols
import Wire

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
}
