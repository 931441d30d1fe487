import Glibc
import HelperProtocols
import Wire

/// Watches the desktop session's lock and the machine's sleep, and delays sleep until the vault is locked.
actor SessionMonitor {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let services: DesktopServices
  private let notify: @Sendable (any OutgoingNotification) -> Void
  private var wanted = (lock: false, sleep: false)
  private var subscriptions: [Subscription] = []
  private var manager: LoginManager?
  private var inhibitor: Int32 = -1
  /// Counts inhibitor requests; an inhibitor that arrives after sleep was allowed again is dropped.
  private var inhibitorGeneration = 0
  /// Counts calls of ``begin(lock:sleep:)``; only the last one takes effect.
  private var generation = 0

  init(_ services: DesktopServices, notify: @escaping @Sendable (any OutgoingNotification) -> Void) {
    loop = services.loop
    self.services = services
    self.notify = notify
  }

  /// Replaces what is being watched.
  func watch(lock: Bool, sleep: Bool) async -> DesktopWatch.Response {
    while true {
      if let state = await begin(lock: lock, sleep: sleep) { return state }
    }
  }

  /// - Returns: nil if a later call superseded this one.
  private func begin(lock: Bool, sleep: Bool) async -> DesktopWatch.Response? {
    generation += 1
    let current = generation
    wanted = (lock, sleep)
    subscriptions = []
    manager = nil
    allowSleep()
    guard lock || sleep else { return DesktopWatch.Response(lock: .notRequested, sleep: .notRequested) }
    do {
      let manager = try await findManager()
      guard current == generation else { return nil }
      return DesktopWatch.Response(
        lock: lock ? await watchLock(manager) : .notRequested,
        sleep: sleep ? await watchSleep(manager) : .notRequested)
    } catch {
      return DesktopWatch.Response(
        lock: lock ? .unavailable(error) : .notRequested, sleep: sleep ? .unavailable(error) : .notRequested)
    }
  }

  /// Releases the inhibitor that delays sleep.
  func allowSleep() {
    inhibitorGeneration += 1
    if inhibitor >= 0 { close(inhibitor) }
    inhibitor = -1
  }

  private func findManager() async throws(Availability) -> LoginManager {
    let bus = try services.system()
    do {
      let resubscribe: @Sendable () -> Void = { [weak self] in
        Task { await self?.resubscribe() }
      }
      let owner = try await bus.watchOwner(of: LoginManager.service, ended: resubscribe) {
        [weak self] owner in
        guard let self else { return }
        // Ignore changes that lead to the known owner.
        self.assumeIsolated { if owner != $0.manager?.peer.name { resubscribe() } }
      }
      subscriptions.append(owner)
      let manager = try await LoginManager(on: bus)
      self.manager = manager
      return manager
    } catch {
      throw Availability(error, service: "systemd")
    }
  }

  /// Watches again after logind restarted or the bus was lost.
  private func resubscribe() async {
    let wanted = wanted
    guard let state = await begin(lock: wanted.lock, sleep: wanted.sleep) else { return }
    let stopped = (
      lock: wanted.lock && !state.lock.isWatching, sleep: wanted.sleep && !state.sleep.isWatching
    )
    if stopped.lock || stopped.sleep {
      notify(DesktopDidStopWatching(lock: stopped.lock, sleep: stopped.sleep))
    } else if case .watching(isLocked: true) = state.lock {
      notify(DesktopDidLock())
    }
  }

  // MARK: Lock

  private func watchLock(_ manager: LoginManager) async -> DesktopWatch.Part {
    guard let session = await services.session(manager) else { return .unavailable(Availability(.none)) }
    do {
      subscriptions += try await session.observeLock { [notify] in notify(DesktopDidLock()) }
      return .watching(isLocked: try await session.isLocked())
    } catch {
      return .unavailable(Availability(error, service: "systemd"))
    }
  }

  // MARK: Sleep

  private func watchSleep(_ manager: LoginManager) async -> DesktopWatch.Part {
    do {
      let filter = LoginManager.sleepFilter(sender: manager.peer.name)
      let subscription = try await manager.bus.subscribe(filter) { [weak self] message in
        guard let isBefore = try? message.boolean() else { return }
        self?.assumeIsolated { $0.sleepDidChange(isBefore) }
      }
      subscriptions.append(subscription)
      if try await manager.isPreparingForSleep() { notify(DesktopWillSleep()) }
      try await inhibitSleep(manager)
      return .watching(isLocked: nil)
    } catch {
      return .unavailable(Availability(error, service: "systemd"))
    }
  }

  private func inhibitSleep(_ manager: LoginManager) async throws(BusError) {
    inhibitorGeneration += 1
    let current = inhibitorGeneration
    let descriptor = try await manager.delaySleep()
    guard current == inhibitorGeneration else {
      close(descriptor)
      return
    }
    inhibitor = descriptor
  }

  private func sleepDidChange(_ isBefore: Bool) {
    guard !isBefore else { return notify(DesktopWillSleep()) }
    notify(DesktopDidWake())
    guard let manager, inhibitor < 0 else { return }
    Task {
      do {
        try await inhibitSleep(manager)
      } catch {
        notify(DesktopDidStopWatching(lock: false, sleep: true))
      }
    }
  }
}
