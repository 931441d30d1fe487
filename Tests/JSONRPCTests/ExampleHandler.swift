import Synchronization
import class TestSupport.Event

@testable import Wire

/// A small program behind a connection, on the same loop.
actor ExampleHandler: MessageHandler {
  struct Told: OutgoingNotification {
    static let method = "told"
    let text: String
    var json: JSON { ["text": .string(text)] }
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private(set) var log: [String] = []
  private let loop: EventLoop
  private var held: [String: AsyncStream<Void>.Continuation] = [:]
  private var waiting: [String: Event<Void>] = [:]
  private var timers: [LoopTimer] = []
  private var refusesSlowly = false
  private weak var connection: Connection?

  /// What interrupts a `wait`.
  static let filter = MessageFilter(methods: ["example/lock", "leave"]) { _, parameters in
    parameters != ["no": true]
  }

  /// What passes a `wait`.
  static let answeredMeanwhile: Set = ["example/peek", "holdOn", "example/peeked", "$/cancelRequest"]

  init(loop: EventLoop) {
    self.loop = loop
  }

  func answer(_ request: IncomingRequest) async -> Reply {
    log.append(request.method)
    switch request.method {
    case "echo", "example/peek": return Reply(.success(request.parameters ?? nil))
    case "initialize":
      return Reply(request.parameters == ["fail": true] ? await refusal(.internalError) : .success("ready"))
    case "hold", "holdOn": return await hold(request)
    case "wait": return await wait(request, passing: .methods(Self.answeredMeanwhile))
    case "waitForAnswer": return await wait(request, passing: .allBut(["echo"]))
    case "large":
      let size = request.parameters?["size"]?.integer ?? 0
      return Reply(.success(.string(String(repeating: "x", count: size))))
    case "tell":
      return Reply(.success(nil), followUp: FollowUp([Told(text: "first"), Told(text: "second")]))
    case "lock":
      return Reply(.success("locked"), followUp: FollowUp([Told(text: "locked")], handOff: .refusingWaiting))
    default: return Reply(await refusal(.methodNotFound(request.method)))
    }
  }

  func handle(_ notification: IncomingNotification) -> FollowUp {
    log.append(notification.method)
    return notification.method == "tellBack"
      ? FollowUp([Told(text: "back")])
      : FollowUp(handOff: notification.method == "leave" ? .refusingWaiting : nil)
  }

  func error(for fault: ProtocolError) async -> ResponseError {
    ResponseError(code: fault.code, message: "\(fault)")
  }

  func errorForDiscardedAnswer() async -> ResponseError {
    if refusesSlowly {
      let event = Event<Void>("refusal")
      try? startTimer(for: event)
      try? await event.value()
    }
    return await error(for: .cancelled)
  }

  /// Refuses what a hand-off leaves unanswered only when a timer of the loop has fired.
  func refuseSlowly() { refusesSlowly = true }

  func willEnd() async -> [any OutgoingNotification] {
    log.append("willEnd")
    return [Told(text: "bye")]
  }

  /// How many messages have reached it.
  var count: Int { log.count }

  /// Comes when a request that holds has begun.
  func beginning(of name: String) -> Event<Void> {
    let event = waiting[name] ?? Event("beginning of \(name)")
    waiting[name] = event
    return event
  }

  /// Starts a timer on the loop that signals `event`.
  func startTimer(for event: Event<Void>) throws {
    let timer = try LoopTimer(on: loop) { event.happen() }
    timer.set(after: .milliseconds(1))
    timers.append(timer)
  }

  /// Makes ready for requests that wait.
  func begin(on connection: Connection) {
    self.connection = connection
  }

  /// Releases a held request.
  func release(_ name: String) {
    held.removeValue(forKey: name)?.finish()
  }

  /// Answers once it is released; `hold`, not `holdOn`, also once it is cancelled.
  private func hold(_ request: IncomingRequest) async -> Reply {
    let name = request.parameters?["name"]?.string ?? ""
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    held[name] = continuation
    beginning(of: name).happen()
    if request.method == "hold" {
      for await _ in stream {}
    } else {
      await Task.detached { for await _ in stream {} }.value
    }
    return Reply(Task.isCancelled ? await refusal(.cancelled) : .success(.string("held \(name)")))
  }

  /// Waits until it is released, cancelled or interrupted by a message, and says by which; others pass it.
  private func wait(_ request: IncomingRequest, passing: Passing) async -> Reply {
    let connection = connection
    let message = Mutex<String?>(nil)
    await connection?.observeMessages(matching: Self.filter, passing: passing) { observed in
      switch observed {
      case .request(_, let method, _), .notification(let method, _): message.withLock { $0 = method }
      case .response, nil: message.withLock { $0 = "something else" }
      }
      connection?.assumeIsolated { $0.interrupt() }
    }
    let reply = await hold(IncomingRequest(id: request.id, method: "hold", parameters: request.parameters))
    await connection?.stopObservingMessages()
    return message.withLock { $0 }.map { Reply(.success(.string("interrupted by \($0)"))) } ?? reply
  }

  private func refusal(_ fault: ProtocolError) async -> Result<JSON, ResponseError> {
    .failure(await error(for: fault))
  }
}
