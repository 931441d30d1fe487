import Vault
import VaultInterface
import Wire

/// One vault and what belongs to it, for all clients: the session, the idle lock, the desktop, the imaging workers.
///
/// It runs on the event loop. What belongs to one client is in its ``ClientConversation``.
actor VaultService {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  let vault: CurrentVault
  let desktop: DesktopLink
  let imaging: ImagingService
  let biometrics: BiometricUnlock
  let idleLock: IdleLock
  let checkpoints = CheckpointSchedule()
  let sync: SyncService
  let account: AccountService
  let workers: WorkerProcesses
  let requests: RequestQueue
  /// The programs that may use the vault while it is unlocked.
  var admissions: AdmissionList
  /// What programs that were not admitted have done to others.
  var strangers: StrangerLimits
  /// What agents may do with cards.
  var agents: AgentPermissions
  /// The display of the client that unlocked the vault, on which a pinentry can ask; nil for none.
  var display: [String: String]?
  /// Lets one question for consent follow another.
  let questions: RequestQueue
  /// The tickets for programs that admitted ones start.
  var tickets = Tickets()
  /// The lock that is due a minute after the last activity if all clients are in the background.
  let backgroundLock: IdleLock
  nonisolated let log: ServiceLog
  /// Whether the vault was locked, so that the process is about to be replaced.
  var isHandingOff = false
  private(set) var clients: [ClientIdentifier: ClientConversation] = [:]
  /// How many requests with a password wait out of turn, for a pinentry or a key.
  var openPrompts = 0
  /// The programs that were not admitted and for which a pinentry asks.
  var prompting: Set<AdmissionScope> = []
  /// Whether the service ends: it locks, and tells every client.
  var isStopping = false
  /// Called when the process is to be replaced.
  private(set) var onChange: @Sendable () -> Void = {}
  nonisolated let configuration: Server.Configuration

  init(loop: EventLoop, _ configuration: Server.Configuration, resuming state: HandoffState.Vault) {
    self.loop = loop
    self.configuration = configuration
    log = ServiceLog(configuration)
    workers = WorkerProcesses(on: loop, from: ProgramDirectory(override: configuration.helpers))
    vault = CurrentVault(configuration, demo: state.demo, attempts: state.attempts)
    desktop = DesktopLink(on: loop, workers, log: log, canOpenVaults: state.fingerprintCanOpenVaults)
    imaging = ImagingService(on: loop, workers, makeTimer: configuration.makeTimer)
    biometrics = BiometricUnlock(vault, desktop, failures: state.fingerprintFailures)
    idleLock = IdleLock(clock: configuration.clock)
    sync = SyncService(on: loop, clock: configuration.clock)
    account = AccountService(
      on: loop, clock: configuration.clock, starter: configuration.starter, log: log,
      keychain: AccountKeychain(desktop: desktop), resuming: state)
    requests = RequestQueue(on: loop)
    questions = RequestQueue(on: loop)
    (admissions, strangers, agents) = (state.admissions, state.strangers, state.agents)
    backgroundLock = IdleLock(clock: configuration.clock)
  }

  /// Whether the vault is served on a socket, to any number of clients (U).
  nonisolated var isShared: Bool { configuration.isShared }

  var session: VaultSession { vault.session }

  /// Begins to serve the vault.
  ///
  /// - Parameter onChange: called when the process is to be replaced.
  func start(onChange: @escaping @Sendable () -> Void = {}) async {
    self.onChange = onChange
    vault.leaveDeletedDemo()
    session.readPlaintextSettings()
    do {
      idleLock.use(
        try configuration.makeTimer(loop) { [weak self] in self?.assumeIsolated { $0.lockIfIdle() } })
    } catch {
      log.record(error, of: "auto-lock")
    }
    checkpoints.use(
      try? configuration.makeTimer(loop) { [weak self] in
        self?.assumeIsolated { $0.checkpoints.run($0.session) }
      })
    sync.use(
      try? configuration.makeTimer(loop) { [weak self] in
        self?.assumeIsolated {
          $0.sync.runAutomatically { [weak self] in await self?.synchronizeAutomatically() }
        }
      })
    account.resumeRefresh(in: self, on: self)
    account.use(
      try? configuration.makeTimer(loop) { [weak self] in self?.assumeIsolated { $0.mirrorAutomatically() } })
    if isShared {
      backgroundLock.use(
        try? configuration.makeTimer(loop) { [weak self] in self?.assumeIsolated { $0.lockIfInBackground() } }
      )
    }
    await desktop.observe { [weak self] event in self?.assumeIsolated { $0.observe(event) } }
    if configuration.beginsWithDemo, vault.demo == nil { await beginWithDemo() }
  }

  /// Takes a client, whose messages a ``ClientHandler`` passes on.
  ///
  /// - Parameter ticket: what it has presented to be admitted.
  func connect(
    _ client: ClientIdentifier, on connection: Connection, resuming state: HandoffState.Client,
    ticket: String?
  ) {
    let conversation = ClientConversation(client, on: connection, loop, configuration, resuming: state)
    clients[client] = conversation
    takeGrant(conversation)
    if let ticket { use(ticket, of: conversation) }
  }

  /// Releases a client whose connection is over.
  func disconnect(_ client: ClientIdentifier) {
    clients[client] = nil
    if isShared { lockIfInBackground() }
  }

  /// Runs an action on the loop's thread.
  func onLoop(_ action: @Sendable () -> Void) {
    action()
  }

  /// Ends the conversations, and with the last of them the service.
  func stop(_ connections: ClientConnections) {
    isStopping = true
    guard connections.haveBegun else { return }
    if connections.isEmpty {
      guard sync.hasUnpublished || account.refresh.isPending else {
        lockNow(.shutdown)
        return onChange()
      }
      Task {
        await finishBeforeEnd()
        lockNow(.shutdown)
        onChange()
      }
    }
    connections.stopAll()
  }

  /// Releases the clients when their connections are over: each refers to its connection, and that to the service.
  func disconnectAll() {
    clients = [:]
  }

  /// Makes the demo vault that the service begins with.
  private func beginWithDemo() async {
    do {
      try await vault.beginDemo(
        password: nil, keyDerivation: nil, watermarksAttachment: imaging.isInstalled)
      desktop.watch(for: vault)
      noteActivity()
    } catch {
      log.record(error, of: "demo")
      vault.closeVault()
    }
  }

  /// What a new process needs of the vault.
  func handoffState() -> HandoffState.Vault {
    HandoffState.Vault(
      demo: vault.demo, fingerprintFailures: biometrics.failures,
      fingerprintCanOpenVaults: desktop.assumeIsolated { $0.canOpenVaults },
      attempts: session.unstoredAttempts,
      admissions: admissions, strangers: strangers, agents: agents, account: account.waiting,
      lockedMirror: account.lockedMirror,
      proxies: account.proxies, tokens: account.refresh.handedOff())
  }

  /// What a new process needs of a client.
  func handoffState(of client: ClientIdentifier, stage: Stage, streamState: StreamState)
    -> HandoffState.Client
  {
    clients[client]?.handoffState(stage: stage, streamState: streamState)
      ?? HandoffState.Client(stage: stage, streamState: streamState)
  }

  /// The language of the settings, or else of the client.
  func language(of client: ClientConversation) -> Language {
    session.chosenLanguage ?? client.language
  }

  /// Notifies every client that may use the vault, but for one.
  func notifyAll(_ notification: any OutgoingNotification, except excluded: ClientConversation? = nil) {
    for client in clients.values where client !== excluded && isAdmitted(client) {
      client.notifications.send(notification)
    }
  }

  private func observe(_ event: DesktopLink.Event) {
    switch event {
    case .fingerprint(let state): biometrics.observe(state)
    case .didLock:
      interruptAll(.lock)
      lockPublished(.deviceLocked)
    case .willSleep:
      interruptAll(.shutdown)
      lockPublished(.sleep)
    case .ended: desktop.watch(for: vault)
    }
  }
}
