import JSON
import EventLoop
import JSONRPC

/// One call of `fingerprint/verify`: the reader is claimed, fingers are compared, the reader is released.
///
/// It has a connection to the bus of its own. Where the reader cannot be released politely the bus tells fprintd that its
/// client is gone, and nothing of an earlier wait can reach a later one.
struct Verification {
  /// What became of it.
  struct Outcome: JSONConvertible, Hashable {
    var isMatch: Bool
    var attempts: Int
    var enrollment: String

    var json: JSON {
      [
        "outcome": isMatch ? "matched" : "notMatched", "attempts": .integer(attempts),
        "enrollment": .string(enrollment),
      ]
    }
  }

  /// How long the reader may take to be released.
  private static let releaseTimeout = Duration.seconds(2)

  let bus: Bus
  let loop: EventLoop
  let timeout: Duration
  let attempts: Int
  let tell: (FingerprintDidChangeState) -> Void

  /// Waits for fingers.
  func outcome() async throws(Refusal) -> Outcome {
    let events = VerificationEvents()
    guard let alarm = try? LoopTimer(on: loop, { events.end(.timedOut) }) else { throw .fingerprint(.failed) }
    alarm.set(after: timeout)
    let reader = try await find()
    do {
      let subscriptions = try await events.subscribe(to: reader)
      defer { withExtendedLifetime((subscriptions, alarm)) {} }
      return try await claimed(reader, events)
    } catch Refusal.fingerprint(.failed) {
      throw .fingerprint(await isGone(reader) ? .disconnected : .failed)
    } catch let refusal as Refusal {
      throw refusal
    } catch let error as BusError {
      throw events.refusal(error)
    } catch let availability as Availability {
      throw Refusal(availability)
    } catch {
      throw .fingerprint(.failed)
    }
  }

  private func find() async throws(Refusal) -> FingerprintReader {
    do {
      return try await FingerprintReader(on: bus)
    } catch {
      throw Task.isCancelled ? .cancelled : Refusal(error)
    }
  }

  private func claimed(_ reader: FingerprintReader, _ events: VerificationEvents) async throws -> Outcome {
    do {
      // polkit may ask the person first, so this too takes as long as a person does.
      _ = try await reader.call("Claim", "", timeout: timeout)
      let enrollment = reader.enrollment(of: try await reader.fingers())
      let (isMatch, attempt) = try await compare(reader, events)
      await release(reader, events)
      return Outcome(isMatch: isMatch, attempts: attempt, enrollment: enrollment)
    } catch {
      await release(reader, events)
      throw Task.isCancelled ? Refusal.cancelled : error
    }
  }

  private func compare(
    _ reader: FingerprintReader, _ events: VerificationEvents
  ) async throws -> (isMatch: Bool, attempt: Int) {
    for attempt in 1...attempts {
      let started = try await reader.call("VerifyStart", "any")
      tell(FingerprintDidChangeState(state: .scanning, attempt: attempt))
      let isMatch = try await events.result(after: started.order) { reason in
        tell(FingerprintDidChangeState(state: .retry(reason: reason), attempt: attempt))
      }
      tell(FingerprintDidChangeState(state: isMatch ? .matched : .notMatched, attempt: attempt))
      if isMatch { return (true, attempt) }
      if attempt < attempts { _ = try await reader.call("VerifyStop") }
    }
    return (false, attempts)
  }

  /// Whether the reader is not there any more: fprintd reports some that are unplugged as a failure.
  private func isGone(_ reader: FingerprintReader) async -> Bool {
    do {
      return try await FingerprintReader(on: bus).peer != reader.peer
    } catch {
      return error.state == .noReader
    }
  }

  /// Gives the reader back, unless nobody is there to take it.
  private func release(_ reader: FingerprintReader, _ events: VerificationEvents) async {
    guard events.ending != .serviceStopped else { return }
    for member in ["VerifyStop", "Release"] {
      _ = try? await reader.call(member, timeout: Self.releaseTimeout, heedsCancellation: false)
    }
  }
}

extension Refusal {
  /// What a reader's state means for who wants to use it.
  init(_ availability: Availability) {
    self =
      switch availability.state {
      case .busMissing: .systemBusMissing
      case .serviceMissing: .fingerprint(.serviceMissing)
      case .noReader: .fingerprint(.noReader)
      case .permissionDenied: .fingerprint(.permissionDenied)
      case .notEnrolled: .fingerprint(.notEnrolled)
      default: .fingerprint(.failed)
      }
  }
}
