import CLinux
import Glibc

/// A JSON-RPC 2.0 connection over a pair of descriptors.
///
/// It uses the client's framing, and handles messages one at a time and in order, responses to its own requests included. Only
/// `$/cancelRequest`, and what the handler asks for with ``observeMessages(matching:passing:_:)``, overtake others. The
/// connection itself answers `shutdown` and `exit`, and enforces the lifecycle.
///
/// Its memory is bounded: it stops reading while more wait to be answered, or to be written, than ``ConnectionLimits`` allow.
package actor Connection {
  /// The maximum number of messages in a batch, whose answers wait for one another.
  package static let batchLimit = 10_000

  /// The maximum length of an answer: 32 MiB.
  package static let answerLimit = 32 << 20

  /// The most bytes that are handed over for a client that may be dropped.
  private static let droppedSize = 4 << 10

  /// The number of bytes of answers that are written at once while further requests wait: 32 KiB.
  static let outputPortion = 32 << 10

  /// The loop's thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// Why the connection was closed; nil while it is open.
  package internal(set) var closeReason: CloseReason?

  nonisolated let loop: EventLoop
  let input: Int32
  let output: Int32
  private let isSocket: Bool
  let handler: any MessageHandler
  let closeTimeout: Duration
  var inputQueue: InputQueue
  var outputQueue: OutputQueue
  var stage: Stage
  /// The batch that is being answered.
  var batch: Batch?
  /// The request that is being answered.
  var running: (id: RequestIdentifier, task: Task<Void, Never>)?
  /// The message that overtakes it.
  var outOfOrderRequest: (id: RequestIdentifier?, task: Task<Void, Never>)?
  /// The messages that may overtake it; nil if it does not wait.
  private(set) var passing: Passing?
  /// Whether a message is being answered, or the connection is closing.
  var isBusy = false
  /// Whether the last messages are being written: nothing more is read.
  var isClosing = false
  var isReading = false
  var isOutputFull = false
  /// Whether messages that wait for their turn are refused when the connection is handed off.
  var refusesWaiting = false
  /// The reason to close once the current message is answered.
  var pendingCloseReason: CloseReason?
  var finalNotifications: [any OutgoingNotification] = []
  private var translation: @Sendable (any OutgoingNotification) -> (any OutgoingNotification)? = { $0 }
  /// The reason to close once the output is written.
  var finalReason: CloseReason?
  var closeTimer: LoopTimer?
  /// The requests to the client that it has not answered.
  var pendingRequests = PendingRequests()
  var isFlushPostponed = false
  /// Whether the next message of a client that yields may be begun.
  private var turn = Turn.none

  private enum Turn {
    case none, awaited, granted
  }

  let onClose: (@Sendable () -> Void)?
  private var observer: (filter: MessageFilter, action: @Sendable (Message?) -> Void)?

  /// - Parameters:
  ///   - streamState: the state that another process handed over.
  ///   - stage: the stage of the lifecycle in that process.
  ///   - closeTimeout: the time that a client has to read the final notifications at a stop or hand-off; after it the
  ///     reason is ``CloseReason/unreadable``.
  ///   - onClose: called once on the loop's thread when ``closeReason`` is known; by default the loop is stopped.
  package init(
    loop: EventLoop, input: Int32, output: Int32, resuming streamState: StreamState = StreamState(),
    at stage: Stage = .fresh, closeTimeout: Duration = .seconds(2), handler: any MessageHandler,
    onClose: (@Sendable () -> Void)? = nil
  ) {
    self.loop = loop
    self.input = input
    self.output = output
    isSocket = linux_is_socket(input) != 0
    self.handler = handler
    self.stage = stage
    self.closeTimeout = closeTimeout
    inputQueue = InputQueue(resuming: streamState)
    outputQueue = OutputQueue(output, resuming: streamState.output)
    self.onClose = onClose
  }

  /// Starts to read, and to answer what was handed over.
  ///
  /// Call it from a task that does not need the thread of the loop: in a program's main file, a detached one.
  package func start() {
    inputQueue.cut(longest: handler.limits.message)
    takeCancellations()
    flush()
    advance()
  }

  /// Sends a notification as ``translate(_:)`` says.
  package func send(_ notification: any OutgoingNotification) {
    guard let notification = translation(notification) else { return }
    write(notification.message.write)
  }

  /// Sets what is sent in place of each notification; nil for nothing.
  package func translate(
    _ translation: @escaping @Sendable (any OutgoingNotification) -> (any OutgoingNotification)?
  ) {
    self.translation = translation
  }

  /// Cancels the current message and closes the connection once that is answered. Waiting messages are dropped.
  ///
  /// This replaces an unfinished hand-off, and limits how long a close waits for the client to read.
  package func stop() {
    running?.task.cancel()
    outOfOrderRequest?.task.cancel()
    requestClose(.stopped)
  }

  /// Hands the connection over to a new process once the current message is answered.
  ///
  /// - Parameters:
  ///   - notifications: sent after that answer.
  ///   - dropsInput: whether the connection is closed instead if more than 4 KiB wait to be answered, or a batch is.
  package func handOff(
    _ handOff: HandOff, sending notifications: [any OutgoingNotification] = [], dropsInput: Bool = false
  ) {
    if dropsInput, batch != nil || inputQueue.size + inputQueue.begunSize > Self.droppedSize {
      return abort()
    }
    refusesWaiting = refusesWaiting || handOff == .refusingWaiting
    requestClose(.handedOff(StreamState(), stage), sending: notifications)
  }

  // MARK: Messages out of order

  /// Calls `action` once with the first queued message that matches, now or when it arrives. The message keeps its turn.
  ///
  /// - Parameters:
  ///   - passing: the messages that are handled at once, ahead of the current one. Responses are as well, in their turn.
  ///   - action: gets nil for a batch or an invalid message that ends the wait.
  package func observeMessages(
    matching filter: MessageFilter, passing: Passing = .methods([]),
    _ action: @escaping @Sendable (Message?) -> Void
  ) {
    observer = (filter, action)
    self.passing = passing
    inputQueue.beginSearch(holdingFirst: !passing.includesWaiting)
    batch?.beginSearch()
    notifyObserver()
    advance()
  }

  /// Ends what ``observeMessages(matching:passing:_:)`` began.
  package func stopObservingMessages() {
    observer = nil
    passing = nil
  }

  package var isStopping: Bool { pendingCloseReason == .stopped }

  /// Cancels the task of the current request; its handler still answers it.
  package func interrupt() {
    running?.task.cancel()
  }

  private func notifyObserver() {
    guard let filter = observer?.filter,
      let message = batch?.firstMessage(matching: filter) ?? inputQueue.firstMessage(matching: filter)
    else { return }
    endObservation(message)
  }

  func endObservation(_ message: Message?) {
    let action = observer?.action
    observer = nil
    action?(message)
  }

  // MARK: Reading

  private func readable() {
    // From the close on, unread bytes are for the next process.
    guard closeReason == nil, !isClosing else { return }
    inputQueue.read(from: input, isSocket: isSocket, longest: handler.limits.message)
    takeCancellations()
    notifyObserver()
    advance()
  }

  private func takeCancellations() {
    for id in inputQueue.takeCancellations() {
      let task =
        running?.id == id ? running?.task : outOfOrderRequest?.id == id ? outOfOrderRequest?.task : nil
      guard let task else { continue }
      task.cancel()
      inputQueue.forgetCancellation(of: id)
    }
  }

  /// Whether so many requests wait that nothing more is read.
  private var isInputFull: Bool {
    inputQueue.size >= ConnectionLimits.least.waiting && inputQueue.size >= handler.limits.waiting
  }

  /// Whether the client has not read so many answers that no further request is started.
  var hasUnread: Bool {
    outputQueue.count >= ConnectionLimits.least.unread && outputQueue.count >= handler.limits.unread
  }

  private func watchInput() {
    let wantsMore =
      closeReason == nil && !isClosing && !inputQueue.hasEnded && !isInputFull && !hasUnread
    guard wantsMore != isReading else { return }
    isReading = wantsMore
    if wantsMore {
      loop.watch(input, for: .reading) { [weak self] in self?.assumeIsolated { $0.readable() } }
    } else {
      loop.unwatch(input, for: .reading)
    }
  }

  /// Returns whether a message may be begun now. That of a client that yields waits until the loop has nothing else to do.
  private func takeTurn() -> Bool {
    if turn == .granted || !handler.limits.yields {
      turn = .none
      return true
    }
    guard turn == .none else { return false }
    turn = .awaited
    loop.whenIdle { [weak self] in
      self?.assumeIsolated {
        $0.turn = .granted
        $0.advance()
      }
    }
    return false
  }

  /// Starts the next message, or closes, if nothing is being done.
  func advance() {
    defer {
      if inputQueue.hasEnded, !pendingRequests.isEmpty, !inputQueue.hasResponse { pendingRequests.end() }
      watchInput()
    }
    guard outOfOrderRequest == nil, closeReason == nil else { return }
    guard !isBusy else { return beginOutOfOrder() }
    guard pendingCloseReason != nil || batch == nil && inputQueue.isEmpty || takeTurn() else { return }
    if let value = batch?.next() { return begin(.success(value)) }
    if let pendingCloseReason { return beginClosing(pendingCloseReason) }
    guard !hasUnread else { return }
    if let frame = inputQueue.takeFrame() {
      begin(frame)
    } else if let error = inputQueue.error {
      beginClosing(.broken(error))
    } else if inputQueue.hasEnded {
      beginClosing(.endOfInput(inputQueue.framing, afterShutdown: stage == .shutDown))
    }
  }
}
