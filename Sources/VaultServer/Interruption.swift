import JSONRPC
import VaultSession

/// Why a request that waits or takes long is broken off by something else than `$/cancelRequest`.
enum Interruption: Sendable, Hashable {
  /// A password came in a finger's place.
  case password
  /// The vault is to be locked, or was.
  case lock
  /// The client or the system ends the program, or the machine goes to sleep.
  case ending

  /// The messages that end what takes long on an unlocked vault.
  ///
  /// - Parameter heedsBackground: whether the vault locks when the client goes to the background.
  static func ofWork(heedsBackground: Bool) -> Urgency {
    Urgency(methods: heedsBackground ? ["session/lock", background] : ["session/lock"])
  }

  /// The messages that end a wait for a person.
  static let ofWait = Urgency(
    methods: withPassword.union(["session/lock", background, "shutdown", "exit"])
  ) { method, parameters in
    !withPassword.contains(method) || parameters?["password"] != nil
  }

  /// What a finger or a password is asked for.
  private static let withPassword: Set = ["session/unlock", "attachment/get", "attachment/export"]

  /// What is answered while a person is waited for: what is no activity, and what says where the client is.
  static let passingWait: Set<String> = Set(
    Registry.methods.values.lazy.filter { !$0.countsAsActivity }.map(\.name)
  ).union(["client/didBecomeActive", "$/cancelRequest"])

  private static let background = "client/didEnterBackground"

  /// What a message does to the request at hand.
  fileprivate init(_ message: Message) {
    switch message {
    case .request(_, let method, _) where Self.withPassword.contains(method): self = .password
    case .request(_, "shutdown", _), .notification("exit", _): self = .ending
    default: self = .lock
    }
  }
}

extension Conversation {
  /// Does what takes long, and breaks it off as soon as the vault is to be locked: with the task cancelled, as
  /// `$/cancelRequest` does. Inside of such a piece of work it is a part of that.
  ///
  /// - Throws: ``VaultError/locked``, `CancellationError`, and what `body` throws.
  func interruptibly<Value>(_ body: () async throws -> Value) async throws -> Value {
    if isInterruptible { return try await body() }
    let heedsBackground = (try? session.settings().lockOnBackground) ?? false
    do {
      return try await untilInterrupted(by: Interruption.ofWork(heedsBackground: heedsBackground), body)
    } catch is CancellationError {
      throw interruption == .lock ? VaultError.locked : CancellationError()
    }
  }

  /// Waits for a person, as ``untilInterrupted(by:passing:_:)`` does.
  ///
  /// - Throws: what `body` throws.
  func waiting<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await untilInterrupted(by: Interruption.ofWait, passing: Interruption.passingWait, body)
  }

  /// Does something until it is done or ``interrupt(_:)`` is called, which an urgent message does; afterwards
  /// ``interruption`` tells by what it was cancelled, nil for `$/cancelRequest`.
  ///
  /// - Parameter methods: whose messages are answered meanwhile.
  /// - Throws: what `body` throws.
  private func untilInterrupted<Value>(
    by urgency: Urgency, passing methods: Set<String> = [], _ body: () async throws -> Value
  ) async throws -> Value {
    beginHeeding(urgency, passing: methods)
    defer { endHeeding() }
    do {
      return try await body()
    } catch {
      if interruption == nil, isStopping { interruption = .ending }
      throw error
    }
  }

  private func beginHeeding(_ urgency: Urgency, passing methods: Set<String>) {
    interruption = nil
    isInterruptible = true
    connection?.assumeIsolated { connection in
      connection.observeUrgent(urgency, passing: methods) { [weak self] message in
        self?.assumeIsolated { $0.interrupt(Interruption(message)) }
      }
    }
  }

  private func endHeeding() {
    isInterruptible = false
    connection?.assumeIsolated { $0.stopObservingUrgent() }
  }

  private var isStopping: Bool {
    connection?.assumeIsolated { $0.isStopping } ?? false
  }

  /// Breaks off the request at hand, if it is one that can be.
  func interrupt(_ reason: Interruption) {
    guard isInterruptible, interruption == nil else { return }
    interruption = reason
    connection?.assumeIsolated { $0.interrupt() }
  }
}
