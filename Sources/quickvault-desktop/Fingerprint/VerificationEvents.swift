/// What happens while a finger is awaited. It belongs to the loop's thread.
final class VerificationEvents: @unchecked Sendable {
  private enum Event {
    case status(String, isDone: Bool, order: Int)
    case ended
  }

  /// Why the wait is over before anything was compared; the first reason counts.
  private(set) var ending: Refusal.FingerprintReason?

  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Event.self)
  }

  /// Ends the wait.
  func end(_ reason: Refusal.FingerprintReason) {
    guard ending == nil else { return }
    ending = reason
    continuation.yield(.ended)
  }

  /// Begins to listen to a reader, to the end of its service, and to logind.
  ///
  /// - Returns: what keeps it listening.
  func subscribe(to reader: FingerprintReader) async throws(BusError) -> [Subscription] {
    let (bus, service) = (reader.bus, reader.peer.name)
    let owner = try await bus.watchOwner(of: service, ended: { [self] in end(.serviceStopped) }) { [self] in
      if $0 != service { end(.serviceStopped) }
    }
    let filter = Subscription.Filter(
      sender: service, path: reader.peer.path, interface: FingerprintReader.interface, member: "VerifyStatus")
    let status = try await bus.subscribe(filter) { [continuation] message in
      guard let word = try? message.requiredText(), let isDone = try? message.flag() else { return }
      continuation.yield(.status(word, isDone: isDone, order: message.order))
    }
    return [owner, status] + (await subscribeToSleep(on: bus).map { [$0] } ?? [])
  }

  /// Listens to logind, where it is running.
  private func subscribeToSleep(on bus: Bus) async -> Subscription? {
    guard let owner = try? await bus.owner(of: LoginManager.service) else { return nil }
    return try? await bus.subscribe(LoginManager.sleepFilter(sender: owner)) { [self] message in
      if (try? message.flag()) == true { end(.sleeping) }
    }
  }

  /// Waits for the result of a comparison.
  ///
  /// - Parameters:
  ///   - order: the place of the answer to VerifyStart; what came before it belongs to an earlier wait.
  ///   - retry: takes the reason why a scan could not be compared.
  /// - Returns: whether the finger is one of those enrolled.
  func result(after order: Int, retry: (String) -> Void) async throws(Refusal) -> Bool {
    if let ending { throw .fingerprint(ending) }
    for await event in stream {
      switch event {
      case .ended: throw .fingerprint(ending ?? .failed)
      case .status(_, _, let place) where place <= order: continue
      case .status("verify-match", _, _): return true
      case .status("verify-no-match", _, _): return false
      case .status("verify-disconnected", _, _): throw .fingerprint(.disconnected)
      case .status(let word, let isDone, _):
        guard !isDone else { throw .fingerprint(.failed) }
        retry(Self.reasons[word] ?? "tryAgain")
      }
    }
    throw .cancelled
  }

  private static let reasons = [
    "verify-swipe-too-short": "swipeTooShort", "verify-finger-not-centered": "fingerNotCentered",
    "verify-remove-and-retry": "removeAndRetry", "verify-too-fast": "tooFast",
  ]

  /// What a failed call means while a finger is awaited.
  func refusal(_ error: BusError) -> Refusal {
    if let ending { return .fingerprint(ending) }
    if error == .cancelled { return .cancelled }
    if error == .disconnected || error.meansNoService { return .fingerprint(.serviceStopped) }
    if error == .refused(name: "org.freedesktop.DBus.Error.NoReply") { return .fingerprint(.timedOut) }
    if FingerprintReader.isBusy(error) { return .fingerprint(.busy) }
    return Refusal(FingerprintReader.availability(error))
  }
}
