import EventLoop
import JSON
import JSONRPC
import LanguageServer
import VaultSession

/// Why a request that waits or takes long is interrupted, other than by `$/cancelRequest`.
enum Interruption: Sendable, Hashable {
  /// A password came in place of the fingerprint, or another client asks for one.
  case password
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
  /// Whether it waits for the user.
  private var isWaiting = false
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
      locksInBackground: (try? session.settings().lockOnBackground) ?? false, body)
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
      until: Interruption.ofWait, passing: .methods(Interruption.answeredDuringWait), isWaiting: true, body)
  }

  /// Waits for an editor's answer, which no password replaces. ``reason`` then says what interrupted the wait.
  ///
  /// - Throws: what `body` throws.
  nonisolated func duringAnswer<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await run(until: Interruption.ofAnswer, passing: .allBut(Interruption.endingAnswer), body)
  }

  /// Interrupts the request being answered, if it can be. A password interrupts only a wait for the user.
  nonisolated func interrupt(_ reason: Interruption) {
    assumeIsolated { own in
      if reason != .password || own.isWaiting { own.cancelRequest(reason) }
    }
  }

  /// Runs `body` until it ends or a message matches the filter.
  ///
  /// - Parameter passing: the messages that are handled meanwhile.
  private nonisolated func run<Value>(
    until filter: MessageFilter, passing: Passing = .methods([]), isWaiting: Bool = false,
    _ body: () async throws -> Value
  ) async throws -> Value {
    await begin(until: filter, passing: passing, isWaiting: isWaiting)
    do {
      let value = try await body()
      await end()
      return value
    } catch {
      await recordStop()
      await end()
      throw error
    }
  }

  private func begin(until filter: MessageFilter, passing: Passing, isWaiting: Bool) {
    reason = nil
    isActive = true
    self.isWaiting = isWaiting
    connection.assumeIsolated { connection in
      connection.observeMessages(matching: filter, passing: passing) { [weak self] message in
        self?.interrupt(Interruption(message))
      }
    }
  }

  private func end() {
    isActive = false
    isWaiting = false
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
