import HelperProtocols
import Vault
import VaultInterface
import Wire

/// Schedules the passes that mirror the folder to the account's server, and keeps the result of the last one.
final class AccountService {
  /// The time before the progress of a pass is reported, in milliseconds.
  private static let progressDelay: Int64 = 1_000
  /// The remaining lifetime at which a token is refreshed, in seconds.
  static let refreshMargin = 60

  let loop: EventLoop
  private let clock: any Clock
  private let starter: Int32?
  private let log: ServiceLog
  let keychain: AccountKeychain
  private var timer: (any EventLoop.Timer)?
  /// The account while there is no vault. The vault that is made takes it over.
  var waiting: Account?
  /// The credentials that the last pass read from the keychain; nil before it, and if the vault stores them.
  var lastRead: CarrierCredentials?
  /// The pass to run while the vault is locked.
  var lockedMirror: LockedMirror?
  /// The variables that name the proxies, of the client that signed in, or else of the first that unlocked the vault; nil before.
  /// A service itself has none.
  var proxies: [String: String]?
  /// The replacement of the tokens.
  var refresh: TokenRefresh
  /// Whether the credentials are being moved from the vault to the keychain.
  var isMoving = false
  /// Whether the open vault has an account.
  private(set) var isSignedIn = false
  /// The pass that runs.
  private var carrying: Task<Void, Never>?
  /// When the pass began, by the boot clock.
  private var mirrorStarted: Int64 = 0
  /// How far the pass is; nil before it says so, or for less than ``progressDelay``.
  private var reported: Int?
  /// How many passes began.
  private var passes = 0
  /// How many segments were published at the last pass.
  private var published: Int?
  private var pauses = PassPauses()
  /// Whether the next pass lists all files, even if the marks of other carriers show no change.
  private var listsAll = false
  /// When the last pass ended that mirrored everything.
  private(set) var lastMirrored: Timestamp?
  /// Why the last pass failed, and when the first one since the last success did.
  private(set) var failure: (error: ErrorDescriptor, since: Timestamp)?
  /// Why the last uploads were less safe than usual; nil if they were not.
  private(set) var notice: ErrorDescriptor?
  /// When the next pass begins after one that failed.
  private(set) var nextTry: Timestamp?
  /// How many segments were published when the last pass that mirrored everything began.
  private var carried: Int?
  /// Whether the state changed since clients were last notified.
  private(set) var hasUnreportedChange = false

  /// - Parameters:
  ///   - starter: the descriptor of the process that starts the carrier; nil where it is not installed.
  ///   - state: what the process before had.
  init(
    on loop: EventLoop, clock: any Clock, starter: Int32?, log: ServiceLog, keychain: AccountKeychain,
    resuming state: HandoffState.Vault
  ) {
    (self.loop, self.clock, self.starter, self.log) = (loop, clock, starter, log)
    self.keychain = keychain
    (waiting, lockedMirror, proxies) = (state.account, state.lockedMirror, state.proxies)
    refresh = TokenRefresh(resuming: state.tokens)
  }

  /// Takes the timer whose action mirrors the folder. Without one nothing is mirrored.
  func use(_ timer: (any EventLoop.Timer)?) {
    self.timer = timer
    if lockedMirror != nil { scheduleMirror() }
  }

  private var now: Timestamp { Timestamp(milliseconds: clock.wall) }

  /// Whether tokens expire so soon that they are to be replaced.
  func isExpiring(_ credentials: CarrierCredentials) -> Bool {
    credentials.expiresAt.map { $0 - Int(clock.wall / 1_000) < Self.refreshMargin } ?? false
  }

  /// Sends a request to a carrier of its own, which ends with the answer, or when the task is cancelled.
  ///
  /// - Throws: ``CarrierError``, ``AccountError``, `CancellationError`.
  func ask<Request: CarrierRequest>(
    _ request: Request, onNotification: @escaping @Sendable (IncomingNotification) -> Void = { _ in }
  ) async throws -> Request.Response {
    let program = try startProgram(onNotification: onNotification)
    defer { withExtendedLifetime(program) {} }
    return try await answer { try await program.peer.ask(request) }
  }

  /// Starts a carrier.
  ///
  /// - Throws: ``AccountError``.
  func startProgram(
    onNotification: @escaping @Sendable (IncomingNotification) -> Void = { _ in }
  ) throws -> CarrierProgram {
    guard let starter else { throw AccountError.carrierMissing }
    do {
      return try CarrierProgram(starter, proxies ?? [:], on: loop, onNotification: onNotification)
    } catch {
      log.record(error, of: "quickvault-carrier")
      throw AccountError.carrierFailed
    }
  }

  /// Returns what a carrier answers.
  ///
  /// - Throws: ``CarrierError``, ``AccountError``, `CancellationError`.
  func answer<Response>(_ ask: () async throws -> Response) async throws -> Response {
    do {
      return try await ask()
    } catch let error as ResponseError {
      if error.data?["kind"]?.string == "rpc.invalidParameters" {
        let name = error.data?["parameter"]?.string ?? "address"
        throw ParameterError(name, name == "address" || name == "issuer" ? .url : .string)
      }
      guard let error = CarrierError(error) else { throw AccountError.carrierFailed }
      throw error == .cancelled ? CancellationError() : error as any Error
    } catch is PeerError {
      throw AccountError.carrierFailed
    }
  }

  /// Sends a request to a carrier of its own, which nobody waits for.
  func begin(_ request: some CarrierRequest) {
    guard let starter else { return }
    do {
      let program = try CarrierProgram(starter, proxies ?? [:], on: loop) { _ in }
      program.peer.assumeIsolated { $0.begin(request) }
    } catch {
      log.record(error, of: "quickvault-carrier")
    }
  }

  /// Carries the folder soon: after a sign-in, or an unlock with an account.
  func begin() {
    (isSignedIn, hasUnreportedChange) = (true, true)
    lockedMirror = nil
    pauses.forgetFailures()
    scheduleMirror()
  }

  /// Carries the folder soon if this machine has published more than at the last pass.
  func note(published: Int) {
    guard isSignedIn, published != self.published, pauses.failures == 0, !pauses.isBlocked(at: clock.boot)
    else { return }
    scheduleMirror()
  }

  /// Carries the folder soon, whatever failed before: somebody asked for it. Does nothing while the server wants no requests.
  ///
  /// - Returns: whether a pass begins.
  @discardableResult func mirrorNow() -> Bool {
    guard isSignedIn, !pauses.isBlocked(at: clock.boot) else { return false }
    pauses.forgetFailures()
    listsAll = true
    scheduleMirror()
    return true
  }

  /// Returns whether the next pass is to list all files, and begins to count again.
  func takeListsAll() -> Bool {
    defer { listsAll = false }
    return listsAll
  }

  /// Waits until the pass has ended that runs. It goes on if the task is cancelled, or after `limit`.
  func awaitPass(within limit: Duration) async {
    guard let carrying else { return }
    let (ends, continuation) = AsyncStream.makeStream(of: Never.self)
    Task {
      await carrying.value
      continuation.finish()
    }
    let timeout = Task {
      try await Task.sleep(for: limit)
      continuation.finish()
    }
    for await _ in ends {}
    timeout.cancel()
  }

  /// Whether segments were published since the last pass began, or that failed.
  func isBehind(_ published: Int) -> Bool {
    isSignedIn && (published != self.published || pauses.failures > 0)
  }

  /// Returns this, or nil if nobody is signed in: another process may have signed out.
  func ifSignedIn(to session: VaultSession) -> AccountService? {
    isSignedIn && (try? session.account()) != nil ? self : nil
  }

  private func scheduleMirror() {
    guard carrying == nil else { return }
    timer?.set(after: .zero)
  }

  /// Ends a pass, and begins no other: at a sign-out.
  func stop() {
    carrying?.cancel()
    leave()
  }

  /// Stops scheduling passes, at a lock. A running pass continues in the carrier.
  func leave() {
    timer?.cancel()
    lastRead = nil
    (isSignedIn, carrying, published, lastMirrored, failure) = (false, nil, nil, nil, nil)
    (carried, reported, hasUnreportedChange) = (nil, nil, true)
    (pauses, nextTry, notice, listsAll) = (PassPauses(), nil, nil, false)
  }

  /// Returns the state for clients, and marks it as reported; nil without an account.
  func takeMirrorReport() -> MirrorReport? {
    hasUnreportedChange = false
    return isSignedIn
      ? MirrorReport(carried: carried, failure: failure?.error.kind, tenths: reported.map { $0 / 10 }) : nil
  }

  /// The state that clients are notified about. It does not change with a pass that copied nothing.
  struct MirrorReport: Equatable {
    var carried: Int?
    var failure: String?
    /// How far the pass is.
    var tenths: Int?
  }

  /// How far the pass is; nil if none runs, or for less than ``progressDelay``.
  var percentage: Int? { isSlow ? reported ?? 0 : nil }

  private var isSlow: Bool { carrying != nil && clock.boot - mirrorStarted >= Self.progressDelay }

  /// Records the progress of the running pass.
  ///
  /// - Returns: whether clients are to be told.
  func didMirror(percentage new: Int) -> Bool {
    guard isSlow else { return false }
    defer { reported = new }
    if reported.map({ $0 / 10 }) != new / 10 { hasUnreportedChange = true }
    return hasUnreportedChange
  }

  /// Runs a pass, unless one runs.
  ///
  /// - Parameters:
  ///   - published: how many segments this machine has published; nil if that is not known.
  ///   - pass: returns what it did.
  ///   - end: called when the pass has ended, unless it was cancelled.
  func carry(
    _ published: Int?, _ pass: @escaping () async throws -> PassResult, then end: @escaping () -> Void,
    on actor: isolated any Actor
  ) {
    guard carrying == nil else { return }
    (self.published, mirrorStarted) = (published, clock.boot)
    passes += 1
    let number = passes
    carrying = Task {
      _ = actor
      let result: Result<PassResult, any Error>
      do { result = .success(try await pass()) } catch { result = .failure(error) }
      guard !Task.isCancelled, carrying != nil, number == passes else { return }
      didMirror(result)
      end()
    }
  }

  private func didMirror(_ result: Result<PassResult, any Error>) {
    (carrying, reported, hasUnreportedChange) = (nil, nil, true)
    pauses.note(result, at: clock.boot)
    switch result {
    case .success(let pass):
      if !pass.isIdle { notice = pass.notice }
      if let error = pass.error {
        failure = (error, failure?.since ?? now)
      } else {
        (lastMirrored, carried, failure) = (now, published, nil)
      }
    case .failure(let error):
      failure = (ErrorDescriptor(error), failure?.since ?? now)
      log.record(error, of: "account")
    }
    let pause = pauses.pause(at: clock.boot)
    nextTry = failure == nil ? nil : Timestamp(milliseconds: clock.wall + pause)
    timer?.set(after: .milliseconds(pause))
  }
}

/// The folder and account for passes while the vault is locked; the credentials are in the keychain.
struct LockedMirror: Hashable {
  /// In the keychain, with nothing of the vault but its address.
  var account: Account
  var folder: String
}
