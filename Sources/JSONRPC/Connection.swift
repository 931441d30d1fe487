import Glibc

/// One conversation in JSON-RPC 2.0 over a pair of descriptors.
///
/// It reads frames in the framing that the client speaks, hands messages to its handler one at a time and in order,
/// and writes the answers. What overtakes the queue is `$/cancelRequest`. `shutdown`, `exit` and the order of the
/// lifecycle are its own business; everything else is the handler's.
///
/// A client that sends faster than it reads does not make it grow: it stops reading while more than
/// ``queueLimit`` bytes wait to be answered or ``outputLimit`` bytes wait to be written.
public actor Connection {
  /// How many bytes of requests may wait, beyond the one frame that went over it: 4 MiB.
  public static let queueLimit = 4 << 20
  /// How many bytes of answers may wait before the next request is begun: 1 MiB.
  public static let outputLimit = 1 << 20

  /// How many bytes of answers are written at once while further requests wait: 32 KiB.
  static let outputPortion = 32 << 10
  /// How long a client may take to read its last answers before a hand-over ends in ``Ending/unreadable``.
  static let patience: Duration = .seconds(2)

  /// The loop's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// How the conversation ended; nil while it goes on.
  public private(set) var ending: Ending?

  private nonisolated let loop: EventLoop
  private let input: Int32
  private let output: Int32
  private let handler: any MessageHandler
  private var inbox: Inbox
  private var outlet: Outlet
  private var stage: Stage
  private var running: (id: RequestIdentifier, task: Task<Reply, Never>)?
  private var isBusy = false
  private var isReading = false
  private var isWaitingForRoom = false
  private var wantedEnding: Ending?
  private var lastWords: (ending: Ending, alarm: Alarm?)?

  /// A conversation that begins with ``start()``.
  ///
  /// - Parameters:
  ///   - loop: where it lives.
  ///   - input: where messages come from.
  ///   - output: where answers go.
  ///   - remainder: where another process left off, when one did.
  ///   - stage: how far the conversation had come there.
  ///   - handler: what answers.
  public init(
    loop: EventLoop, input: Int32, output: Int32, resuming remainder: Remainder = Remainder(),
    at stage: Stage = .fresh,
    handler: any MessageHandler
  ) {
    self.loop = loop
    self.input = input
    self.output = output
    self.handler = handler
    self.stage = stage
    inbox = Inbox(resuming: remainder)
    outlet = Outlet(output)
  }

  /// Begins to read, and to answer what was read before.
  public func start() {
    loop.onIdle { [weak self] in self?.assumeIsolated { $0.flush() } }
    inbox.cut()
    takeCancellations()
    advance()
  }

  /// Tells the client something now.
  public func send(_ notice: any OutgoingNotice) {
    write(notice.message.json)
  }

  /// Ends the conversation once the message at hand is done; what waits behind it is not begun.
  public func stop() {
    running?.task.cancel()
    want(.stopped)
  }

  /// Hands the conversation over to a new process once the message at hand is done.
  ///
  /// - Parameter notices: what the client is told before.
  public func handOver(telling notices: [any OutgoingNotice]) {
    for notice in notices { send(notice) }
    want(.handedOver(Remainder(), stage))
  }

  // MARK: Reading

  private func readable() {
    inbox.read(from: input)
    takeCancellations()
    advance()
  }

  private func takeCancellations() {
    for id in inbox.takeCancellations() where running?.id == id {
      running?.task.cancel()
      inbox.forgetCancellation(of: id)
    }
  }

  private func watchInput() {
    let wantsMore =
      ending == nil && !inbox.hasEnded && inbox.size < Self.queueLimit && outlet.count < Self.outputLimit
    guard wantsMore != isReading else { return }
    isReading = wantsMore
    if wantsMore {
      loop.watch(input, for: .reading) { [weak self] in self?.assumeIsolated { $0.readable() } }
    } else {
      loop.unwatch(input)
    }
  }

  // MARK: Answering

  /// Begins what is to be done next, where nothing is being done.
  private func advance() {
    defer { watchInput() }
    guard !isBusy, ending == nil else { return }
    if let wantedEnding { return conclude(wantedEnding) }
    guard outlet.count < Self.outputLimit else { return }
    if let frame = inbox.takeFrame() {
      isBusy = true
      Task {
        await process(frame)
        isBusy = false
        advance()
      }
    } else if let fault = inbox.fault {
      conclude(.broken(fault))
    } else if inbox.hasEnded {
      conclude(.endOfInput(inbox.framing, afterShutdown: stage == .shutDown))
    }
  }

  private func process(_ frame: Frame) async {
    guard case .message(let bytes) = frame else { return await refuse(.frameTooLarge) }
    let value: JSON
    do {
      value = try JSONReader.read(bytes)
    } catch {
      return await refuse(error == .nestingTooDeep ? .nestingTooDeep : .malformedJSON)
    }
    if case .array(let values) = value { return await processBatch(values) }

    let (response, notices) = await perform(value)
    if let response { write(response.json) }
    for notice in notices { send(notice) }
  }

  private func processBatch(_ values: [JSON]) async {
    guard !values.isEmpty else { return await refuse(.invalidRequest(id: .null, .emptyBatch)) }
    var responses: [JSON] = []
    var notices: [any OutgoingNotice] = []
    for value in values {
      let (response, told) = await perform(value)
      if let response { responses.append(response.json) }
      notices += told
    }
    if !responses.isEmpty { write(.array(responses)) }
    for notice in notices { send(notice) }
  }

  private func refuse(_ fault: ProtocolFault) async {
    write(await failure(fault, id: fault.identifier).json)
  }

  private func failure(_ fault: ProtocolFault, id: RequestIdentifier) async -> Message {
    .response(id: id, .failure(await handler.error(for: fault)))
  }

  private func perform(_ value: JSON) async -> (Message?, [any OutgoingNotice]) {
    let message: Message
    do {
      message = try Message(value)
    } catch {
      return (await failure(error, id: error.identifier), [])
    }
    switch message {
    case .request(let id, let method, let parameters):
      return await answer(IncomingRequest(id: id, method: method, parameters: parameters))
    case .notice(let method, let parameters):
      return (nil, await note(IncomingNotice(method: method, parameters: parameters)))
    case .response:
      return (nil, [])
    }
  }

  private func answer(_ request: IncomingRequest) async -> (Message?, [any OutgoingNotice]) {
    guard !inbox.forgetCancellation(of: request.id) else {
      return (await failure(.cancelled, id: request.id), [])
    }
    do {
      try stage.admit(request.method, framing: inbox.framing)
    } catch {
      return (await failure(error, id: request.id), [])
    }
    if request.method == "shutdown" {
      stage = .shutDown
      return (.response(id: request.id, .success(.null)), [])
    }

    let task = Task { [handler] in await handler.answer(request) }
    running = (request.id, task)
    let reply = await task.value
    running = nil
    if request.method == "initialize", case .success = reply.result { stage = .initialized }
    if reply.handsOver { want(.handedOver(Remainder(), stage)) }
    return (.response(id: request.id, reply.result), reply.notices)
  }

  private func note(_ notice: IncomingNotice) async -> [any OutgoingNotice] {
    switch notice.method {
    case "exit":
      want(.exit(afterShutdown: stage == .shutDown))
      return []
    case "$/cancelRequest":
      // It was heeded when it came in; here it only marks the end of what it could have meant.
      if let id = Inbox.cancelledIdentifier(notice.parameters) { inbox.forgetCancellation(of: id) }
      return []
    default:
      guard stage == .initialized || inbox.framing == .lines else { return [] }
      let (notices, handsOver) = await handler.note(notice)
      if handsOver { want(.handedOver(Remainder(), stage)) }
      return notices
    }
  }

  // MARK: Writing

  private func write(_ message: JSON) {
    outlet.append(message, framing: inbox.framing ?? .lines)
    if outlet.count >= Self.outputPortion { flush() }
  }

  private func flush() {
    switch outlet.flush() {
    case .empty:
      waitForRoom(false)
      if let lastWords { finish(lastWords.ending) }
    case .full: waitForRoom(true)
    case .closed:
      waitForRoom(false)
      finish(.unreadable)
    }
  }

  private func waitForRoom(_ waits: Bool) {
    guard waits != isWaitingForRoom else { return }
    isWaitingForRoom = waits
    if waits {
      loop.watch(output, for: .writing) { [weak self] in self?.assumeIsolated { $0.flush() } }
    } else {
      loop.unwatch(output)
      advance()
    }
  }
}

// MARK: Ending

extension Connection {
  private func want(_ ending: Ending) {
    if wantedEnding == nil { wantedEnding = ending }
    advance()
  }

  /// Says the last words and waits until they are out.
  private func conclude(_ ending: Ending) {
    isBusy = true
    let alarm = try? Alarm(on: loop) { [weak self] in self?.assumeIsolated { $0.finish(.unreadable) } }
    switch ending {
    case .handedOver, .stopped: alarm?.set(after: Self.patience)
    default: break
    }
    Task {
      if case .handedOver = ending {} else { for notice in await handler.willEnd() { send(notice) } }
      lastWords = (ending, alarm)
      flush()
    }
  }

  private func finish(_ ending: Ending) {
    guard self.ending == nil else { return }
    if case .handedOver = ending {
      self.ending = .handedOver(inbox.remainder, stage)
    } else {
      self.ending = ending
    }
    lastWords = nil
    loop.stop()
  }
}
