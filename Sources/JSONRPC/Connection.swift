import JSON
public import EventLoop
import Glibc

/// One conversation in JSON-RPC 2.0 over a pair of descriptors.
///
/// It reads frames in the framing that the client speaks, hands messages to its handler one at a time and in order,
/// and writes the answers. What overtakes the queue is `$/cancelRequest`, and what the handler finds urgent
/// (``observeUrgent(_:passing:_:)``). `shutdown`, `exit` and the order of the lifecycle are its own business; everything else is the
/// handler's.
///
/// A client that sends faster than it reads does not make it grow: it stops reading while more than
/// ``queueLimit`` bytes wait to be answered or ``outputLimit`` bytes wait to be written.
public actor Connection {
  /// How many messages a batch may hold, since their answers wait for one another: 10,000.
  public static let batchLimit = 10_000
  /// How many bytes of requests may wait, each with 64 for its place in the queue, beyond what the read that went over
  /// it brought: 4 MiB.
  public static let queueLimit = 4 << 20
  /// How many bytes of answers may wait before the next request is begun: 1 MiB.
  public static let outputLimit = 1 << 20

  /// How many bytes of answers are written at once while further requests wait: 32 KiB.
  static let outputPortion = 32 << 10

  /// The loop's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// How the conversation ended; nil while it goes on.
  public internal(set) var ending: CloseReason?

  nonisolated let loop: EventLoop
  let input: Int32
  let output: Int32
  let handler: any MessageHandler
  let closeTimeout: Duration
  var inbox: Inbox
  var outlet: Outlet
  var stage: Stage
  /// The batch whose messages are at hand.
  var batch: Batch?
  /// The request at hand.
  var running: (id: RequestIdentifier, task: Task<Void, Never>)?
  /// The message that passes it.
  var passing: (id: RequestIdentifier?, task: Task<Void, Never>)?
  /// The methods whose messages may pass the one at hand.
  private(set) var passable: Set<String> = []
  /// Whether a message is at hand, or the end.
  var isBusy = false
  var isReading = false
  var isWaitingForRoom = false
  /// What the program or the client wants the conversation to end with.
  var pendingCloseReason: CloseReason?
  /// What the client is told before that.
  var finalNotifications: [any OutgoingNotification] = []
  /// How it ends, once the last words wait to be written.
  var concluded: CloseReason?
  var closeTimer: LoopTimer?
  /// Which messages are urgent at the moment, and what takes the first of them.
  private var heed: (urgency: Urgency, action: @Sendable (Message) -> Void)?

  /// A conversation that begins with ``start()``.
  ///
  /// - Parameters:
  ///   - loop: where it lives.
  ///   - input: where messages come from.
  ///   - output: where answers go.
  ///   - streamState: where another process left off, when one did.
  ///   - stage: how far the conversation had come there.
  ///   - closeTimeout: how long a client may take to read the last words once the program wants to hand over or to stop;
  ///     then the end is ``CloseReason/unreadable``.
  ///   - handler: what answers.
  public init(
    loop: EventLoop, input: Int32, output: Int32, resuming streamState: StreamState = StreamState(),
    at stage: Stage = .fresh, closeTimeout: Duration = .seconds(2), handler: any MessageHandler
  ) {
    self.loop = loop
    self.input = input
    self.output = output
    self.handler = handler
    self.stage = stage
    self.closeTimeout = closeTimeout
    inbox = Inbox(resuming: streamState)
    outlet = Outlet(output)
  }

  /// Begins to read, and to answer what was read before.
  ///
  /// It is called with `await` and therefore from a task that does not need the thread which runs the loop: in a
  /// program's main file a detached one, since others there belong to the main thread.
  public func start() {
    loop.onIdle { [weak self] in self?.assumeIsolated { $0.flush() } }
    inbox.cut()
    takeCancellations()
    advance()
  }

  /// Tells the client something now.
  public func send(_ notification: any OutgoingNotification) {
    write(notification.message.write)
  }

  /// Ends the conversation once the message at hand is done, which is taken back; what waits behind it is not begun.
  ///
  /// This holds in place of a hand-over that is not over, and hastens an end that waits for the client to read.
  public func stop() {
    running?.task.cancel()
    passing?.task.cancel()
    want(.stopped)
  }

  /// Hands the conversation over to a new process once the message at hand is done.
  ///
  /// - Parameter notifications: what the client is told last, after the answer to that message.
  public func handOff(telling notifications: [any OutgoingNotification]) {
    want(.handedOff(StreamState(), stage), telling: notifications)
  }

  // MARK: Overtaking

  /// Gives an action the first urgent message that waits behind the one at hand: at once, or as soon as it comes in.
  ///
  /// The action is called once. The message stays where it is and has its turn later.
  ///
  /// - Parameter methods: whose messages may pass the one at hand: as long as one of them is next, it is answered at once.
  ///   The first of another method, and what waits already, holds all that stand behind it.
  public func observeUrgent(
    _ urgency: Urgency, passing methods: Set<String> = [], _ action: @escaping @Sendable (Message) -> Void
  ) {
    heed = (urgency, action)
    passable = methods
    inbox.beginSearch()
    batch?.beginSearch()
    lookForUrgent()
    advance()
  }

  /// Looks for no urgent message any more, and lets none pass.
  public func stopObservingUrgent() {
    heed = nil
    passable = []
  }

  /// Whether ``stop()`` was called.
  public var isStopping: Bool { pendingCloseReason == .stopped }

  /// Cancels the task of the message at hand, which is answered by what its handler makes of that.
  public func interrupt() {
    running?.task.cancel()
  }

  private func lookForUrgent() {
    guard let (urgency, action) = heed,
      let message = batch?.firstUrgent(urgency) ?? inbox.firstUrgent(urgency)
    else { return }
    heed = nil
    action(message)
  }

  // MARK: Reading

  private func readable() {
    // After the end every byte that has not been read is for the next process.
    guard ending == nil else { return }
    inbox.read(from: input)
    takeCancellations()
    lookForUrgent()
    advance()
  }

  private func takeCancellations() {
    for id in inbox.takeCancellations() {
      let task = running?.id == id ? running?.task : passing?.id == id ? passing?.task : nil
      guard let task else { continue }
      task.cancel()
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

  /// Begins what is to be done next, where nothing is being done.
  func advance() {
    defer { watchInput() }
    guard passing == nil, ending == nil else { return }
    guard !isBusy else { return letPass() }
    if let value = batch?.next() { return begin(.success(value)) }
    if let pendingCloseReason { return conclude(pendingCloseReason) }
    guard outlet.count < Self.outputLimit else { return }
    if let frame = inbox.takeFrame() {
      begin(frame)
    } else if let fault = inbox.fault {
      conclude(.broken(fault))
    } else if inbox.hasEnded {
      conclude(.endOfInput(inbox.framing, afterShutdown: stage == .shutDown))
    }
  }
}
