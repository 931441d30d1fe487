import Glibc
import HelperProtocols
import Vault
import VaultInterface
import Wire

/// The link to `quickvault-desktop`: starts it when needed and again when it ends, and knows what it last said.
actor DesktopLink {
  /// An event that the desktop program reports.
  enum Event: Sendable {
    case fingerprint(FingerprintDidChangeState)
    case didLock, willSleep
    /// The program ended by itself. What it watched is to be watched again.
    case ended
  }

  private static let restartLimit = 3

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  private nonisolated let loop: EventLoop
  private let workers: WorkerProcesses
  private let log: ServiceLog
  private var observer: @Sendable (Event) -> Void = { _ in }
  private var program: DesktopProgram?
  private var restarts = 0
  /// How many requests wait for the user, during which the program answers no other.
  private var userRequests = 0
  /// What ``fetchStatus()`` last found; nil before.
  private var status: DesktopStatus.Response?
  /// Whether a fingerprint can unlock vaults, as far as this process or the one before it found out.
  private(set) var canOpenVaults: Bool

  init(on loop: EventLoop, _ workers: WorkerProcesses, log: ServiceLog, canOpenVaults: Bool) {
    self.loop = loop
    self.workers = workers
    self.log = log
    self.canOpenVaults = canOpenVaults
  }

  /// Sets what events are given to, on the loop's thread.
  func observe(_ observer: @escaping @Sendable (Event) -> Void) {
    self.observer = observer
  }

  /// Sends a request to the desktop program, which is started if it does not run.
  ///
  /// - Throws: ``BiometricError``, `CancellationError`.
  func ask<Request: OutgoingRequest>(_ request: Request) async throws -> Request.Response {
    try await ask(runningProgram(), request)
  }

  /// Sends a request whose answer may wait for the user, as ``ask(_:)`` does.
  func askUser<Request: OutgoingRequest>(_ request: Request) async throws -> Request.Response {
    userRequests += 1
    defer { userRequests -= 1 }
    return try await ask(request)
  }

  /// Asks for the state of fingerprint reader, keychain and desktop session. While the program waits for the user, another one
  /// is started to ask.
  func fetchStatus() async throws -> DesktopStatus.Response {
    do {
      let program = userRequests > 0 ? try start() : try runningProgram()
      let status = try await ask(program, DesktopStatus())
      self.status = status
      canOpenVaults = status.canOpenVaults
      return status
    } catch BiometricError.biometryNotAvailable(.programMissing) {
      canOpenVaults = false
      return .withoutProgram
    }
  }

  /// Starts to ask for the status, unless it is known already.
  nonisolated func fetchStatusIfUnknown() {
    assumeIsolated { link in
      guard link.status == nil else { return }
      link.startTask { link in
        do { _ = try await link.fetchStatus() } catch { link.log.record(error, of: "desktop/status") }
      }
    }
  }

  /// Begins to watch the desktop if the settings of an unlocked vault want it.
  nonisolated func watch(for vault: CurrentVault) {
    guard let settings = try? vault.session.settings() else { return }
    assumeIsolated { $0.startTask { await $0.watch(as: settings) } }
  }

  /// Watches what the settings want, from the return on; nothing if there is no desktop.
  func watch(as settings: Settings) async {
    guard settings.isOn(.lockWithDesktop) || settings.isOn(.lockOnSleep) || program != nil else { return }
    do {
      _ = try await ask(
        DesktopWatch(lock: settings.isOn(.lockWithDesktop), sleep: settings.isOn(.lockOnSleep)))
    } catch BiometricError.biometryNotAvailable(.programMissing) {
      // The doctor reports a missing program.
    } catch {
      log.record(error, of: DesktopWatch.method)
    }
  }

  /// Starts a task on the loop, which ends with it.
  private func startTask(_ action: @escaping @Sendable (isolated DesktopLink) async -> Void) {
    Task { await action(self) }
  }

  private func ask<Request: OutgoingRequest>(
    _ program: DesktopProgram, _ request: Request
  ) async throws -> Request.Response {
    defer { withExtendedLifetime(program) {} }
    do {
      return try await program.peer.ask(request)
    } catch let error as ResponseError {
      throw BiometricError.from(error)
    } catch let error as PeerError {
      throw error == .ended ? BiometricError.systemCancel : .biometryNotAvailable(.failed)
    }
  }

  private func runningProgram() throws -> DesktopProgram {
    if let program { return program }
    let started = try start { [weak self] notification in
      self?.assumeIsolated { $0.observe(notification) }
    } ended: { [weak self] in
      self?.assumeIsolated { $0.programDidEnd() }
    }
    program = started
    return started
  }

  private func start(
    onNotification: @escaping @Sendable (IncomingNotification) -> Void = { _ in },
    ended: @escaping @Sendable () -> Void = {}
  ) throws -> DesktopProgram {
    do throws(WorkerError) {
      return try DesktopProgram(workers, on: loop, onNotification: onNotification, ended: ended)
    } catch {
      if case .notStarted = error { log.record(error, of: "quickvault-desktop") }
      throw BiometricError.biometryNotAvailable(.programMissing)
    }
  }

  private func programDidEnd() {
    program = nil
    status = nil
    log.record(kind: "desktop.ended", of: "quickvault-desktop")
    guard restarts < Self.restartLimit else { return }
    restarts += 1
    observer(.ended)
  }

  private func observe(_ notification: IncomingNotification) {
    switch notification.method {
    case FingerprintDidChangeState.method:
      guard let parameters = notification.parameters,
        let change = try? FingerprintDidChangeState.read(parameters, at: "params")
      else { return }
      observer(.fingerprint(change))
    case DesktopDidLock.method: observer(.didLock)
    case DesktopWillSleep.method: observer(.willSleep)
    case DesktopDidStopWatching.method: log.record(kind: "desktop.notWatched", of: "quickvault-desktop")
    default: break
    }
  }
}

/// Identifies this user on this machine.
enum DeviceName {
  /// The machine ID (machine-id(5)), the user ID and the home directory, which determine the keychain.
  static var ofThisUser: String {
    let home = ProcessEnvironment["HOME"] ?? ""
    return "\(SystemIdentifier.read("/etc/machine-id"))\n\(getuid())\n\(home)"
  }
}
