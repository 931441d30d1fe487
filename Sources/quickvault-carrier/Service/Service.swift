import CLinux
import Glibc
import HelperProtocols
import Synchronization
import WebCarrier
import Wire

/// `quickvault-carrier serve`: protocol/CARRIER.md.
enum Service {
  /// How long a pass may go on after the input was closed.
  private static let finishTimeout = Duration.seconds(120)

  /// Serves standard input and output until the connection ends.
  ///
  /// - Returns: the exit status.
  static func run() -> Int32 {
    do {
      return try serve()
    } catch {
      Program.write("quickvault-carrier: \(error)\n", to: 2)
      return 71
    }
  }

  private static func serve() throws(SystemError) -> Int32 {
    Sandbox.protectMemory()
    _ = linux_lock_memory()
    Sandbox.restrictPrograms()
    Sandbox.restrictCalls()
    let loop = try EventLoop()
    let sender = NotificationSender()
    let carrier = Carrier(loop) { sender.send($0) }
    let connection = Connection(loop: loop, input: 0, output: 1, handler: carrier)
    sender.connection = connection
    try connection.stopOnSignal(on: loop)
    let limit = try LoopTimer(on: loop) { connection.assumeIsolated { $0.stop() } }
    try connection.stopOnHangup(on: loop) {
      limit.set(after: finishTimeout)
      return carrier.assumeIsolated { $0.inputDidEnd() }
    }

    Task { await connection.start() }
    loop.run()
    switch connection.assumeIsolated({ $0.closeReason }) {
    case .exit(afterShutdown: true), .endOfInput, .stopped, .unreadable: return 0
    default: return 1
    }
  }
}

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

/// Ends the work of another thread.
final class Cancellation: CancellationSource, Sendable {
  private let isSet = Mutex(false)
  private let descriptor: Int32

  init() throws(SystemError) {
    descriptor = linux_eventfd()
    guard descriptor >= 0 else { throw SystemError("eventfd") }
  }

  deinit {
    close(descriptor)
  }

  func cancel() {
    isSet.withLock { $0 = true }
    var one: UInt64 = 1
    _ = unsafe write(descriptor, &one, 8)
  }

  func isCancelled() -> Bool { isSet.withLock { $0 } }

  /// Waits, or throws ``CarrierError/cancelled``.
  func wait(_ seconds: Int) throws(CarrierError) {
    var query = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&query, 1, Int32(clamping: seconds * 1_000))
    if isCancelled() { throw .cancelled }
  }
}
