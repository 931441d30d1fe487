import EventLoop
import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

/// The program's side of a conversation: it finds the method that is asked for, keeps the language and the time of the
/// last activity, and puts what goes wrong in words.
actor Conversation {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// The vault in use.
  var session: VaultSession
  /// The demo vault, where that is the vault in use.
  var demo: DemoVault?
  /// Where a demo vault may be made, the best place first.
  let demoPlaces: [String]
  /// Whether the conversation is about a demo vault from its beginning.
  let beginsWithDemo: Bool
  let clock: any Clock
  /// What tells this user of this machine from every other.
  let device: String
  /// The path of the vault that there is besides any demo.
  private let vault: String
  /// The language that the client asked for, or the environment.
  var clientLanguage: Language
  /// The locale that the client asked for; nil where it has not.
  var clientLocale: String?
  /// The client's process, whose end is the conversation's.
  var clientProcess: Int?
  /// Whether the client has said that it is in the background.
  var isInBackground: Bool
  /// How many scans in a row fitted no enrolled finger, since the last password or finger that did.
  var fingerprintFailures: Int
  /// Whether the vault was unlocked with a password, so that the client may be told to ask about a binding.
  var mayOffer = false
  /// Whether the client may ask whether this device is to be bound.
  var offersBiometric = false
  /// The desktop program, while it runs.
  var desktop: DesktopProgram?
  /// How often the desktop program ended by itself and was started again.
  var desktopRestarts = 0
  /// What there was when somebody last looked.
  var desktopStatus: DesktopStatus.Answer?
  /// Whether the vault was locked, so that the process is about to be replaced.
  var isHandingOff = false

  /// Whether the request at hand can be broken off.
  var isInterruptible = false
  /// What the request that could last be broken off was broken off by.
  var interruption: Interruption?

  /// Whether the process's memory is never written to swap.
  let memoryIsLocked: Bool
  let log: (@Sendable (String) -> Void)?
  let makeTimer: TimerFactory
  /// The jobs that the imaging worker is at.
  var imagingRuns: [ObjectIdentifier: ImagingRun] = [:]
  /// The programs that were started.
  let workers: WorkerProcesses
  private(set) var connection: Connection?
  var autoLock: AutoLock?
  var clientWatch: ClientWatch?

  init(loop: EventLoop, _ configuration: Server.Configuration, resuming handoffState: HandoffState) {
    self.loop = loop
    demo = handoffState.demo
    session = VaultSession(
      path: demo?.path ?? configuration.vault, clock: configuration.clock, device: configuration.device)
    demoPlaces = configuration.demoPlaces
    beginsWithDemo = configuration.beginsWithDemo
    clock = configuration.clock
    device = configuration.device
    vault = configuration.vault
    clientLanguage = Language(locale: handoffState.language ?? configuration.locale)
    clientLocale = handoffState.language
    clientProcess = handoffState.clientProcess
    isInBackground = handoffState.isInBackground
    fingerprintFailures = handoffState.fingerprintFailures
    memoryIsLocked = configuration.memoryIsLocked
    log = configuration.log
    makeTimer = configuration.makeTimer
    autoLock = AutoLock(clock: configuration.clock)
    workers = WorkerProcesses(on: loop, from: ProgramDirectory(override: configuration.helpers))
  }

  /// The language of what a person sees: the settings', unless they leave it to the client.
  var language: Language {
    session.chosenLanguage ?? clientLanguage
  }

  /// Makes ready to talk.
  func begin(on connection: Connection) async {
    self.connection = connection
    leaveDeletedDemo(for: vault)
    session.readOpenSettings()
    autoLock?.timer = try? makeTimer(loop) { [weak self] in self?.assumeIsolated { $0.lockIfIdle() } }
    watchClient()
    if beginsWithDemo, demo == nil { await beginWithDemo() }
  }

  /// Lets go of what the conversation was held with, once it is over: each would keep the other in memory.
  func leave() {
    (connection, autoLock, clientWatch, desktop) = (nil, nil, nil, nil)
  }

  /// What a new process needs to go on.
  func handoffState(stage: Stage, streamState: StreamState) -> HandoffState {
    HandoffState(
      stage: stage, language: clientLocale, clientProcess: clientProcess, isInBackground: isInBackground,
      fingerprintFailures: fingerprintFailures, demo: demo, streamState: streamState)
  }

  /// Tells the client something now, ahead of the answer that is being made.
  func tell(_ notification: any OutgoingNotification) async {
    await connection?.send(notification)
  }

  /// The notification that something was done (R19).
  func notification(of deed: Deed) -> ShowMessage {
    ShowMessage(.information, kind: deed.rawValue, message: deed.words, language: language)
  }
}

// MARK: Messages

extension Conversation: MessageHandler {
  func answer(_ request: IncomingRequest) async -> Reply {
    guard let method = Registry.methods[request.method] else {
      return Reply(.failure(error(for: .methodNotFound(request.method))))
    }
    var reply = await answer(request, with: method)
    if method.takesPassword, session.isLocked {
      // Unlocking failed, or there was nothing to unlock: what the password left in memory goes with the process.
      session.close()
      isHandingOff = true
      reply.handsOff = true
    }
    return reply
  }

  private func answer(_ request: IncomingRequest, with method: Method) async -> Reply {
    let wasUnlocked = !session.isLocked
    do {
      if !method.readsForeignChanges, let changes = try session.refresh() {
        await tell(CardDidChange(changes))
      }
      let reply = try await method.answer(request.parameters, self)
      if let changes = session.takeForeignChanges() { await tell(CardDidChange(changes)) }
      if method.countsAsActivity { noteActivity() }
      log?("\(method.name): done")
      return reply
    } catch let fault as ParameterError {
      log?("\(method.name): wrong parameters")
      return Reply(.failure(error(for: .invalidParameters(fault))))
    } catch is CancellationError {
      log?("\(method.name): cancelled")
      return Reply(.failure(error(for: .cancelled)))
    } catch {
      if method.countsAsActivity { noteActivity() }
      return await refusal(VaultError.from(error), of: method, wasUnlocked: wasUnlocked)
    }
  }

  func note(_ notification: IncomingNotification) async -> (
    notifications: [any OutgoingNotification], handsOff: Bool
  ) {
    switch notification.method {
    case "client/didBecomeActive":
      isInBackground = false
      return ([], false)
    case "client/didEnterBackground":
      isInBackground = true
      guard let settings = try? session.settings(), settings.lockOnBackground else { return ([], false) }
      return lock(.background)
    default:
      return ([], false)
    }
  }

  func error(for fault: ProtocolError) -> ResponseError {
    ResponseError(fault, in: language)
  }

  func willEnd() -> [any OutgoingNotification] {
    defer { session.close() }
    return lock(.shutdown).notifications
  }

  /// The answer to a request that the vault refuses, with the notification that follows it; where the vault was changed under
  /// us, it is locked besides, and where it could not be opened again, it was.
  private func refusal(_ error: any Refusal, of method: Method, wasUnlocked: Bool) async -> Reply {
    log?("\(method.name): \(error.kind)")
    let language = language
    let message = ShowMessage(.error, kind: error.kind, message: error.words, language: language)
    let failure = ResponseError(error, in: language)
    let locked: (notifications: [any OutgoingNotification], handsOff: Bool)
    if session.isLocked, wasUnlocked, !isHandingOff {
      locked = noteLocked(.passwordChanged)
    } else if case VaultError.changed = error, !session.isLocked {
      locked = lock(.passwordChanged)
    } else {
      return Reply(.failure(failure), notifications: error.isSilent ? [] : [message])
    }
    return Reply(
      .failure(failure), notifications: [message] + locked.notifications, handsOff: locked.handsOff)
  }
}

extension CardDidChange {
  fileprivate init(_ changes: ForeignChanges) {
    switch changes {
    case .all: self.init(CardDidChange.Extent.all)
    case .cards(let changed, let deleted):
      self.init(Extent.cards(changed: changed.sorted(), deleted: deleted.sorted()))
    }
  }
}
