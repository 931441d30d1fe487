import Glibc
import HelperProtocols
import WebCarrier
import Wire

/// The work for one request, on a thread of its own: libcurl blocks it, and it alone gives up files.
struct Work: Sendable {
  private enum Event<Response: Sendable>: Sendable {
    case notification(any OutgoingNotification)
    case end(Result<Response, CarrierError>)
  }

  private let cancellation: Cancellation
  private let authorities: String?
  /// Sends a notification.
  let notify: @Sendable (any OutgoingNotification) -> Void

  /// How the work makes requests.
  var environment: WebEnvironment {
    WebEnvironment(authorities: authorities, cancellation: cancellation)
  }

  /// Runs `body` on a new thread until its end, even if the task is cancelled, which cancels its requests.
  ///
  /// - Parameter notify: receives the notifications on the caller's actor.
  static func run<Response: Sendable>(
    on actor: isolated any Actor, authorities: String?,
    notify: @escaping @Sendable (any OutgoingNotification) -> Void,
    _ body: @escaping @Sendable (Work) throws(CarrierError) -> Response
  ) async throws -> Response {
    let cancellation = try Cancellation()
    let (events, continuation) = AsyncStream.makeStream(of: Event<Response>.self)
    let work = Work(cancellation: cancellation, authorities: authorities) {
      continuation.yield(.notification($0))
    }
    try Thread.start {
      continuation.yield(.end(Result { () throws(CarrierError) in try body(work) }))
      continuation.finish()
    }
    // A stream ends for a task that is cancelled; this one is not.
    let reading = Task {
      _ = actor
      var result: Result<Response, CarrierError> = .failure(.cancelled)
      for await event in events {
        switch event {
        case .notification(let notification): notify(notification)
        case .end(let end): result = end
        }
      }
      return result
    }
    return try await withTaskCancellationHandler {
      try await reading.value.get()
    } onCancel: {
      cancellation.cancel()
    }
  }
}

/// A thread that nobody waits for.
private enum Thread {
  private final class Body {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var thread = pthread_t()
    let body = unsafe Unmanaged.passRetained(Body(body))
    let failure = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        }
        return nil
      }, body.toOpaque())
    guard failure == 0 else {
      unsafe body.release()
      errno = failure
      throw SystemError("pthread_create")
    }
    pthread_detach(thread)
  }
}
