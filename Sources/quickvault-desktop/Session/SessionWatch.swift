import JSON
import EventLoop
import Glibc
import JSONRPC

/// Watches the desktop session and the machine's sleep, and has sleep wait for the vault.
actor SessionWatch {
  /// What is being watched, and what of it cannot be.
  struct State: JSONConvertible {
    var lock: Part
    var sleep: Part

    var json: JSON { ["lock": lock.json, "sleep": sleep.json] }
  }

  /// One of the two things that can be watched.
  enum Part: JSONConvertible {
    /// Nobody asked for it.
    case unwanted
    case watched(isLocked: Bool?)
    case unavailable(Availability)

    var isWatched: Bool { if case .watched = self { true } else { false } }

    var json: JSON {
      let watching = JSON.Member("watching", .bool(isWatched))
      return switch self {
      case .unwanted: .object([watching])
      case .watched(let isLocked):
        .object([watching] + (isLocked.map { [JSON.Member("locked", .bool($0))] } ?? []))
      case .unavailable(let availability): availability.json([watching])
      }
    }
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let desktop: DesktopServices
  private let tell: @Sendable (any OutgoingNotification) -> Void
  private var wanted = (lock: false, sleep: false)
  private var subscriptions: [Subscription] = []
  private var manager: LoginManager?
  private var inhibitor: Int32 = -1
  /// Which of the inhibitors that were asked for counts; one that comes after sleep was allowed again does not.
  private var holds = 0
  /// Which of the calls that begin to watch counts.
  private var generation = 0

  init(_ desktop: DesktopServices, tell: @escaping @Sendable (any OutgoingNotification) -> Void) {
    loop = desktop.loop
    self.desktop = desktop
    self.tell = tell
  }

  /// Watches what is asked for, in place of what was.
  func watch(lock: Bool, sleep: Bool) async -> State {
    while true {
      if let state = await begin(lock: lock, sleep: sleep) { return state }
    }
  }

  /// Begins to watch.
  ///
  /// - Returns: nil where another call overtook this one.
  private func begin(lock: Bool, sleep: Bool) async -> State? {
    generation += 1
    let current = generation
    wanted = (lock, sleep)
    subscriptions = []
    manager = nil
    allowSleep()
    guard lock || sleep else { return State(lock: .unwanted, sleep: .unwanted) }
    do {
      let manager = try await findManager()
      guard current == generation else { return nil }
      return State(
        lock: lock ? await watchLock(manager) : .unwanted,
        sleep: sleep ? await watchSleep(manager) : .unwanted)
    } catch {
      return State(
        lock: lock ? .unavailable(error) : .unwanted, sleep: sleep ? .unavailable(error) : .unwanted)
    }
  }

  /// Lets the machine go to sleep.
  func allowSleep() {
    holds += 1
    if inhibitor >= 0 { close(inhibitor) }
    inhibitor = -1
  }

  private func findManager() async throws(Availability) -> LoginManager {
    let bus = try desktop.system()
    do {
      let again: @Sendable () -> Void = { [weak self] in
        Task { await self?.renew() }
      }
      let owner = try await bus.watchOwner(of: LoginManager.service, ended: again) { [weak self] owner in
        guard let self else { return }
        // The end of one that was already left, or the beginning of the one that is known, is no news.
        self.assumeIsolated { if owner != $0.manager?.peer.name { again() } }
      }
      subscriptions.append(owner)
      let manager = try await LoginManager(on: bus)
      self.manager = manager
      return manager
    } catch {
      throw Availability(error, service: "systemd")
    }
  }

  /// Watches again what was watched, since logind or the bus is another.
  private func renew() async {
    let wanted = wanted
    guard let state = await begin(lock: wanted.lock, sleep: wanted.sleep) else { return }
    let stopped = (
      lock: wanted.lock && !state.lock.isWatched, sleep: wanted.sleep && !state.sleep.isWatched
    )
    if stopped.lock || stopped.sleep {
      tell(DesktopDidStopWatching(lock: stopped.lock, sleep: stopped.sleep))
    } else if case .watched(isLocked: true) = state.lock {
      tell(DesktopDidLock())
    }
  }

  // MARK: Lock

  private func watchLock(_ manager: LoginManager) async -> Part {
    guard let session = await desktop.session(manager) else { return .unavailable(Availability(.none)) }
    do {
      subscriptions += try await session.whenLocked { [tell] in tell(DesktopDidLock()) }
      return .watched(isLocked: try await session.isLocked())
    } catch {
      return .unavailable(Availability(error, service: "systemd"))
    }
  }

  // MARK: Sleep

  private func watchSleep(_ manager: LoginManager) async -> Part {
    do {
      let filter = LoginManager.sleepFilter(sender: manager.peer.name)
      let subscription = try await manager.bus.subscribe(filter) { [weak self] message in
        guard let isBefore = try? message.flag() else { return }
        self?.assumeIsolated { $0.sleepChanges(isBefore) }
      }
      subscriptions.append(subscription)
      if try await manager.isPreparingForSleep() { tell(DesktopWillSleep()) }
      try await holdSleep(manager)
      return .watched(isLocked: nil)
    } catch {
      return .unavailable(Availability(error, service: "systemd"))
    }
  }

  private func holdSleep(_ manager: LoginManager) async throws(BusError) {
    holds += 1
    let current = holds
    let descriptor = try await manager.delaySleep()
    guard current == holds else {
      close(descriptor)
      return
    }
    inhibitor = descriptor
  }

  private func sleepChanges(_ isBefore: Bool) {
    guard !isBefore else { return tell(DesktopWillSleep()) }
    tell(DesktopDidWake())
    guard let manager, inhibitor < 0 else { return }
    Task {
      do {
        try await holdSleep(manager)
      } catch {
        tell(DesktopDidStopWatching(lock: false, sleep: true))
      }
    }
  }
}
