import JSONRPC
import VaultProtocol
import VaultSession

/// What the desktop tells, and what is asked of it.
extension Conversation {
  /// Asks the desktop program for something; it is started where it does not run.
  ///
  /// - Throws: ``BiometricError``, `CancellationError`.
  func askDesktop<Request: OutgoingRequest>(_ request: Request) async throws -> Request.Answer {
    try await ask(desktopProgram(), request)
  }

  private func ask<Request: OutgoingRequest>(
    _ program: DesktopProgram, _ request: Request
  ) async throws -> Request.Answer {
    defer { withExtendedLifetime(program) {} }
    do {
      return try await program.peer.ask(request)
    } catch let error as ResponseError {
      throw BiometricError.from(error)
    } catch let fault as PeerError {
      throw fault == .ended ? BiometricError.systemCancel : .biometryNotAvailable(.failed)
    }
  }

  /// Looks at what there is: readers, keychain and session. While a finger is awaited the program that runs answers nothing
  /// else, and one of its own is started to look.
  func lookAtDesktop() async throws -> DesktopStatus.Answer {
    do {
      let program = isInterruptible ? try startDesktop() : try desktopProgram()
      let status = try await ask(program, DesktopStatus())
      desktopStatus = status
      return status
    } catch BiometricError.biometryNotAvailable(.programMissing) {
      return .withoutProgram
    }
  }

  /// Begins to look, for those who ask later.
  func beginToLookAtDesktop() {
    guard desktopStatus == nil else { return }
    Task { _ = try? await lookAtDesktop() }
  }

  /// Takes to heart that the vault was unlocked: watches the desktop as the settings want it.
  func watchDesktop() {
    guard let settings = try? session.settings() else { return }
    let watch = DesktopWatch(lock: settings.lockWithDesktop, sleep: settings.lockOnSleep)
    guard watch.lock || watch.sleep || desktop != nil else { return }
    Task { _ = try? await askDesktop(watch) }
  }

  private func desktopProgram() throws -> DesktopProgram {
    if let desktop { return desktop }
    let program = try startDesktop { [weak self] notification in
      self?.assumeIsolated { $0.heed(desktop: notification) }
    } ended: { [weak self] in
      self?.assumeIsolated { $0.desktopDidEnd() }
    }
    desktop = program
    return program
  }

  private func startDesktop(
    heed: @escaping @Sendable (IncomingNotification) -> Void = { _ in },
    ended: @escaping @Sendable () -> Void = {}
  ) throws -> DesktopProgram {
    do throws(WorkerError) {
      return try DesktopProgram(workers, on: loop, heed: heed, ended: ended)
    } catch {
      log?("the desktop program: \(error)")
      throw BiometricError.biometryNotAvailable(.programMissing)
    }
  }

  /// It ended by itself. What watches is started again, a few times.
  private func desktopDidEnd() {
    desktop = nil
    desktopStatus = nil
    log?("the desktop program ended")
    guard !session.isLocked, desktopRestarts < 3 else { return }
    desktopRestarts += 1
    watchDesktop()
  }

  private func heed(desktop notification: IncomingNotification) {
    switch notification.method {
    case "fingerprint/didChangeState": heed(finger: notification.parameters)
    case "desktop/didLock":
      interrupt(.lock)
      lockNow(.deviceLocked)
    case "desktop/willSleep":
      interrupt(.ending)
      lockNow(.sleep)
    case "desktop/didStopWatching": log?("the desktop is not watched any more")
    default: break
    }
  }
}
