import DesktopProtocol
import EventLoop
import Glibc

/// The buses of the desktop and what the process knows of its place there. It belongs to the loop's thread.
final class DesktopServices: @unchecked Sendable {
  let loop: EventLoop
  /// The process whose session is the one that counts: the one that started this one.
  private let parent = getppid()
  private let sessionName: String?
  private var shared: [Bus.Kind: Bus] = [:]
  private var open: [WeakReference] = []

  private struct WeakReference {
    weak var bus: Bus?
  }

  /// - Parameter sessionName: the session that the environment names.
  init(_ loop: EventLoop, sessionName: String?) {
    self.loop = loop
    self.sessionName = sessionName
    loop.onIdle { [weak self] in
      guard let self else { return }
      for reference in open { reference.bus?.process() }
    }
  }

  /// The system bus that is used for everything that does not need one of its own.
  func system() throws(Availability) -> Bus {
    try sharedBus(.system)
  }

  /// The session bus.
  func session() throws(Availability) -> Bus {
    try sharedBus(.session)
  }

  /// A new connection, which its owner alone keeps.
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

  /// The session that the process belongs to; nil where there is none.
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
