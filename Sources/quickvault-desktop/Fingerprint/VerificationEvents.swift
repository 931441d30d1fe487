import HelperProtocols

/// The events of a verification. Used on the loop's thread only.
final class VerificationEvents: @unchecked Sendable {
  private enum Event {
    case status(String, isDone: Bool, order: Int)
    case ended
  }

  /// The first failure that ended the wait.
  private(set) var failure: DesktopError?

  private let stream: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(of: Event.self)
  }

  /// Ends the wait.
  func end(_ error: DesktopError) {
    guard failure == nil else { return }
    failure = error
    continuation.yield(.ended)
  }

  /// Subscribes to the reader's signals, to the end of fprintd, and to logind.
  ///
  /// - Returns: the subscriptions, which end when they are released.
  func subscribe(to reader: FingerprintReader) async throws(BusError) -> [Subscription] {
    let (bus, service) = (reader.bus, reader.peer.name)
    let owner = try await bus.watchOwner(of: service, ended: { [self] in end(.fingerprintServiceStopped) }) {
      [self] in
      if $0 != service { end(.fingerprintServiceStopped) }
    }
    let filter = Subscription.Filter(
      sender: service, path: reader.peer.path, interface: FingerprintReader.interface, member: "VerifyStatus")
    let status = try await bus.subscribe(filter) { [continuation] message in
      guard let word = try? message.requiredText(), let isDone = try? message.boolean() else { return }
      continuation.yield(.status(word, isDone: isDone, order: message.order))
    }
    return [owner, status] + (await subscribeToSleep(on: bus).map { [$0] } ?? [])
  }

  /// Subscribes to logind if it is running.
  private func subscribeToSleep(on bus: Bus) async -> Subscription? {
    guard let owner = try? await bus.owner(of: LoginManager.service) else { return nil }
    return try? await bus.subscribe(LoginManager.sleepFilter(sender: owner)) { [self] message in
      if (try? message.boolean()) == true { end(.sleeping) }
    }
  }

  /// Waits for the result of a comparison.
  ///
  /// - Parameters:
  ///   - order: the position of VerifyStart's reply; earlier signals belong to an earlier wait and are dropped.
  ///   - retry: called for each scan that could not be compared.
  /// - Returns: whether the finger matches an enrolled one.
  func result(
    after order: Int, retry: (FingerprintDidChangeState.Reason) -> Void
  ) async throws(DesktopError) -> Bool {
    if let failure { throw failure }
    for await event in stream {
      switch event {
      case .ended: throw failure ?? .fingerprintFailed
      case .status(_, _, let position) where position <= order: continue
      case .status("verify-match", _, _): return true
      case .status("verify-no-match", _, _): return false
      case .status("verify-disconnected", _, _): throw .readerDisconnected
      case .status(let word, let isDone, _):
        guard !isDone else { throw .fingerprintFailed }
        retry(Self.reasons[word] ?? .tryAgain)
      }
    }
    throw .cancelled
  }

  private static let reasons: [String: FingerprintDidChangeState.Reason] = [
    "verify-swipe-too-short": .swipeTooShort, "verify-finger-not-centered": .fingerNotCentered,
    "verify-remove-and-retry": .removeAndRetry, "verify-too-fast": .tooFast,
  ]

  /// Interprets a failed call during the wait.
  func desktopError(for error: BusError) -> DesktopError {
    if let failure { return failure }
    if error == .cancelled { return .cancelled }
    if error == .disconnected || error.isServiceMissing { return .fingerprintServiceStopped }
    if error == .failed(name: "org.freedesktop.DBus.Error.NoReply") { return .fingerprintTimedOut }
    if FingerprintReader.isBusy(error) { return .readerBusy }
    return DesktopError(fingerprint: FingerprintReader.availability(error))
  }
}
