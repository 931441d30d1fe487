import Vault
import Wire

/// Why a request that waits or takes long is interrupted, other than by `$/cancelRequest`.
enum Interruption: Sendable, Hashable {
  /// A password came in place of the fingerprint, or another client gives one.
  case password
  /// Another client has unlocked the vault.
  case unlocked
  /// The user has chosen another command of the editor, or the editor has asked for something else.
  case command
  /// The vault is to be locked, or was.
  case lock
  /// The client or the system ends the program, or the machine goes to sleep.
  case shutdown

  /// The messages that interrupt long work on an unlocked vault.
  ///
  /// - Parameter locksInBackground: whether the vault locks when the client goes to the background.
  static func ofWork(locksInBackground: Bool) -> MessageFilter {
    MessageFilter(methods: locking.union(locksInBackground ? [background] : []), where: isLockOrNoCommand)
  }

  /// The messages that interrupt a wait for the user.
  static let ofWait = MessageFilter(
    methods: withPassword.union(locking).union([background, "shutdown", "exit"])
  ) { method, parameters in
    isLockOrNoCommand(method, parameters)
      && (!withPassword.contains(method) || parameters?["password"] != nil)
  }

  /// The messages that interrupt a wait for an editor's answer as soon as they arrive.
  static let ofAnswer = MessageFilter(methods: locking.union([background, "shutdown", "exit"]))

  /// The methods that end a wait for an editor's answer in their turn: some editors never answer a question that their user left.
  static let endingAnswer: Set<String> = Set(allMethods.filter(\.countsAsActivity).map(\.name))
    .union([background, "shutdown", "exit"])

  /// Whether a message is no command of an editor, or the one that locks.
  @Sendable private static func isLockOrNoCommand(_ method: String, _ parameters: JSON?) -> Bool {
    method != ExecuteCommand.method || ExecuteCommand.locks(parameters)
  }

  /// The methods that lock the vault; of an editor's commands, only one does.
  private static let locking: Set = ["session/lock", ExecuteCommand.method]

  /// The methods that ask for a fingerprint or a password.
  private static let withPassword: Set = ["session/unlock", "attachment/get", "attachment/export"]

  /// The methods that are answered during a wait for the user: those that are no activity.
  static let answeredDuringWait: Set<String> = Set(allMethods.filter { !$0.countsAsActivity }.map(\.name))
    .union(["client/didBecomeActive", "$/cancelRequest"]).union(OpenDocuments.notifications)

  private static let allMethods = Array(Registry.methods.values) + Registry.languageServer.values

  private static let background = "client/didEnterBackground"

  fileprivate init(_ message: Message?) {
    switch message {
    case .request(_, let method, _) where Self.withPassword.contains(method): self = .password
    case .request(_, "shutdown", _), .notification("exit", _): self = .shutdown
    case .request(_, "session/lock", _), .notification(Self.background, _): self = .lock
    case .request(_, ExecuteCommand.method, let parameters) where ExecuteCommand.locks(parameters):
      self = .lock
    default: self = .command
    }
  }
}

/// Interrupts the request of one client when a message asks for it or the vault locks.
actor Interrupter {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe connection.unownedExecutor }

  private nonisolated let connection: Connection
  /// Whether the request being answered can be interrupted.
  private var isActive = false
  /// What of other clients ends it, other than a lock: a wait for the user's finger ends with any password, because it keeps
  /// requests waiting, and a prompt for a password with an unlock only.
  private var endings: Set<Interruption> = []
  /// Why the last such request was interrupted; nil if it was not, or by `$/cancelRequest`.
  private(set) var reason: Interruption?

  init(_ connection: Connection) {
    self.connection = connection
  }

  /// Runs long work, which is cancelled when the vault is to be locked. Nested calls are part of the outer one.
  ///
  /// - Throws: ``VaultError/locked``, `CancellationError`, and what `body` throws.
  nonisolated func duringWork<Value>(
    on session: VaultSession, _ body: () async throws -> Value
  ) async throws -> Value {
    try await duringWork(
      locksInBackground: (try? session.settings().isOn(.lockOnBackground)) ?? false, body)
  }

  /// Runs long work, as ``duringWork(on:_:)`` does.
  ///
  /// - Parameter locksInBackground: whether the vault locks when the client goes to the background.
  nonisolated func duringWork<Value>(
    locksInBackground: Bool, _ body: () async throws -> Value
  ) async throws -> Value {
    if await isActive { return try await body() }
    do {
      return try await run(until: Interruption.ofWork(locksInBackground: locksInBackground), body)
    } catch is CancellationError {
      throw await reason == .lock ? VaultError.locked : CancellationError()
    }
  }

  /// Waits for the user. ``reason`` then says what interrupted the wait.
  ///
  /// - Throws: what `body` throws.
  nonisolated func duringWait<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await run(
      until: Interruption.ofWait, passing: .methods(Interruption.answeredDuringWait),
      endingWith: [.password, .unlocked],
      body)
  }

  /// Waits for a password that the user types, as ``duringWait(_:)`` does for a fingerprint.
  ///
  /// - Throws: what `body` throws.
  nonisolated func duringPrompt<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await run(
      until: Interruption.ofWait, passing: .methods(Interruption.answeredDuringWait), endingWith: [.unlocked],
      body)
  }

  /// Waits for an editor's answer, which no password replaces. ``reason`` then says what interrupted the wait.
  ///
  /// - Throws: what `body` throws.
  nonisolated func duringAnswer<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await run(until: Interruption.ofAnswer, passing: .allBut(Interruption.endingAnswer), body)
  }

  /// Interrupts the request being answered, if it can be. A password of another client, and an unlock, interrupt only waits for
  /// the user.
  nonisolated func interrupt(_ reason: Interruption) {
    assumeIsolated { own in
      if ![.password, .unlocked].contains(reason) || own.endings.contains(reason) {
        own.cancelRequest(reason)
      }
    }
  }

  /// Runs `body` until it ends or a message matches the filter.
  ///
  /// - Parameters:
  ///   - passing: the messages that are handled meanwhile.
  ///   - endings: what of other clients ends it.
  private nonisolated func run<Value>(
    until filter: MessageFilter, passing: Passing = .methods([]), endingWith endings: Set<Interruption> = [],
    _ body: () async throws -> Value
  ) async throws -> Value {
    await begin(until: filter, passing: passing, endingWith: endings)
    do {
      let value = try await body()
      await finish()
      return value
    } catch {
      await recordStop()
      await finish()
      throw error
    }
  }

  private func begin(until filter: MessageFilter, passing: Passing, endingWith endings: Set<Interruption>) {
    reason = nil
    isActive = true
    self.endings = endings
    connection.assumeIsolated { connection in
      connection.observeMessages(matching: filter, passing: passing) { [weak self] message in
        self?.assumeIsolated { $0.cancelRequest(Interruption(message)) }
      }
    }
  }

  private func finish() {
    isActive = false
    endings = []
    connection.assumeIsolated { $0.stopObservingMessages() }
  }

  /// Records that the connection is stopping, which cancels the request as well.
  private func recordStop() {
    if reason == nil, connection.assumeIsolated({ $0.isStopping }) { reason = .shutdown }
  }

  private func cancelRequest(_ reason: Interruption) {
    guard isActive, self.reason == nil else { return }
    self.reason = reason
    connection.assumeIsolated { $0.interrupt() }
  }
}
