import HelperProtocols
import Wire

/// A prompt of the keychain, such as for the password that unlocks it.
///
/// It is never dismissed by the program: gnome-keyring 42 aborts then.
struct KeychainPrompt {
  private enum Event {
    case completed(isDismissed: Bool)
    case timedOut
    case serviceStopped
  }

  private static let interface = Keychain.interface + "Prompt"

  let keychain: Keychain
  let path: String
  let loop: EventLoop
  let timeout: Duration

  /// Shows the prompt and waits for the answer.
  ///
  /// - Throws: `promptDismissed`, `promptTimedOut`, `keychainFailed` or `cancelled`.
  func run() async throws(DesktopError) {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    guard let timer = try? LoopTimer(on: loop, { continuation.yield(.timedOut) }) else {
      throw .keychainFailed
    }
    let event: Event?
    do {
      let subscriptions = try await subscribe(continuation)
      timer.set(after: timeout)
      _ = try await keychain.bus.call(keychain.object(path), Self.interface, "Prompt") {
        message throws(BusError) in try message.append("")
      }
      event = await events.first { _ in true }
      withExtendedLifetime((subscriptions, timer)) {}
    } catch {
      throw DesktopError(keychain: error)
    }
    switch event {
    case .completed(isDismissed: false): return
    case .completed(isDismissed: true): throw .promptDismissed
    case .serviceStopped: throw .keychainFailed
    case .timedOut: throw .promptTimedOut
    case nil: throw .cancelled
    }
  }

  private func subscribe(
    _ continuation: AsyncStream<Event>.Continuation
  ) async throws(BusError) -> [Subscription] {
    let (bus, service) = (keychain.bus, keychain.peer.name)
    let stopped = { _ = continuation.yield(.serviceStopped) }
    let owner = try await bus.watchOwner(of: service, ended: stopped) { if $0 != service { stopped() } }
    let filter = Subscription.Filter(
      sender: service, path: path, interface: Self.interface, member: "Completed")
    let completed = try await bus.subscribe(filter) { message in
      guard let isDismissed = try? message.boolean() else { return }
      continuation.yield(.completed(isDismissed: isDismissed))
    }
    return [owner, completed]
  }
}

extension DesktopError {
  /// Interprets a failed call to the keychain.
  init(keychain error: BusError) {
    self =
      switch error {
      case .cancelled: .cancelled
      case .failed(name: Keychain.interface + "Error.IsLocked"): .keychainLocked
      case .failed(name: Keychain.interface + "Error.NoSuchObject"): .secretAbsent
      default: .keychainFailed
      }
  }
}
