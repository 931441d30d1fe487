import HelperProtocols
import Wire

/// One `fingerprint/verify`: claims the reader, compares fingers and releases the reader.
///
/// It uses its own connection to the bus. If releasing the reader fails, closing the connection tells fprintd that the
/// client is gone, and no signal of one verification can reach the next.
struct Verification {
  private static let releaseTimeout = Duration.seconds(2)
  private static let disconnectionLooks = 20

  let bus: Bus
  let loop: EventLoop
  let timeout: Duration
  let attempts: Int
  let notify: (FingerprintDidChangeState) -> Void

  func answer() async throws(DesktopError) -> FingerprintVerify.Response {
    let events = VerificationEvents()
    guard let timer = try? LoopTimer(on: loop, { events.end(.fingerprintTimedOut) }) else {
      throw .fingerprintFailed
    }
    timer.set(after: timeout)
    let reader = try await find()
    do {
      let subscriptions = try await events.subscribe(to: reader)
      defer { withExtendedLifetime((subscriptions, timer)) {} }
      return try await claimed(reader, events)
    } catch DesktopError.fingerprintFailed {
      throw await isDisconnected(reader) ? .readerDisconnected : .fingerprintFailed
    } catch let error as DesktopError {
      throw error
    } catch let error as BusError {
      throw events.desktopError(for: error)
    } catch let availability as Availability {
      throw DesktopError(fingerprint: availability)
    } catch {
      throw .fingerprintFailed
    }
  }

  private func find() async throws(DesktopError) -> FingerprintReader {
    do {
      return try await FingerprintReader(on: bus)
    } catch {
      throw Task.isCancelled ? .cancelled : DesktopError(fingerprint: error)
    }
  }

  private func claimed(_ reader: FingerprintReader, _ events: VerificationEvents) async throws
    -> FingerprintVerify.Response
  {
    do {
      // polkit may prompt the user first, so allow the whole timeout.
      _ = try await reader.call("Claim", "", timeout: timeout)
      let enrollment = reader.enrollment(of: try await reader.enrolledFingers())
      let (isMatch, attempt) = try await compare(reader, events)
      await release(reader, events)
      return FingerprintVerify.Response(
        outcome: isMatch ? .matched : .notMatched, attempts: attempt, enrollment: enrollment)
    } catch {
      await release(reader, events)
      throw Task.isCancelled ? DesktopError.cancelled : error
    }
  }

  private func compare(
    _ reader: FingerprintReader, _ events: VerificationEvents
  ) async throws -> (isMatch: Bool, attempt: Int) {
    for attempt in 1...attempts {
      let started = try await reader.call("VerifyStart", "any")
      notify(FingerprintDidChangeState(.scanning, attempt: attempt))
      let isMatch = try await events.result(after: started.order) { reason in
        notify(FingerprintDidChangeState(.retry, attempt: attempt, reason: reason))
      }
      notify(FingerprintDidChangeState(isMatch ? .matched : .notMatched, attempt: attempt))
      if isMatch { return (true, attempt) }
      if attempt < attempts { _ = try await reader.call("VerifyStop") }
    }
    return (false, attempts)
  }

  /// Returns whether the reader was unplugged, which fprintd reports for some readers as a failure.
  private func isDisconnected(_ reader: FingerprintReader) async -> Bool {
    // fprintd takes a closed reader off its list when it has nothing else to do, so the first answers may still have it.
    for _ in 0..<Self.disconnectionLooks {
      do {
        guard try await FingerprintReader(on: bus).peer == reader.peer else { return true }
      } catch {
        return error.state == .noReader
      }
    }
    return false
  }

  private func release(_ reader: FingerprintReader, _ events: VerificationEvents) async {
    guard events.failure != .fingerprintServiceStopped else { return }
    for member in ["VerifyStop", "Release"] {
      _ = try? await reader.call(member, timeout: Self.releaseTimeout, isCancellable: false)
    }
  }
}

extension DesktopError {
  /// Interprets the state of a reader that is needed.
  init(fingerprint availability: Availability) {
    self =
      switch availability.state {
      case .busMissing: .systemBusMissing
      case .serviceMissing: .fingerprintServiceMissing
      case .noReader: .noReader
      case .permissionDenied: .permissionDenied
      case .notEnrolled: .notEnrolled
      default: .fingerprintFailed
      }
  }
}

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
