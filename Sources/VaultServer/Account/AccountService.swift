import CarrierProtocol
import EventLoop
import JSON
import JSONRPC
import VaultModel
import VaultSession

/// The carriage of the folder to the server of the vault's account: when it is next, and how the last time went.
final class AccountService {
  /// How long after a pass the next one begins, if nothing was published before.
  static let interval: Int64 = 60_000
  /// How long after failures the next one begins at the latest.
  static let longestInterval: Int64 = 900_000
  /// How long before tokens expire they are replaced, in seconds.
  static let refreshMargin = 60

  private let loop: EventLoop
  private let clock: any Clock
  private let starter: Int32?
  private let log: ServiceLog
  private var timer: (any EventLoop.Timer)?
  /// Whether the open vault has an account.
  private var isSignedIn = false
  /// The pass that runs.
  private var carrying: Task<Void, Never>?
  /// How many segments were published at the last pass.
  private var published: Int?
  private var failures = 0
  /// When the last pass ended that carried everything.
  private(set) var lastCarried: Timestamp?
  /// Why the last pass failed, and when the first one since the last success did.
  private(set) var failure: (error: ErrorDescriptor, since: Timestamp)?

  /// - Parameter starter: the descriptor of the process that starts the carrier; nil where it is not installed.
  init(on loop: EventLoop, clock: any Clock, starter: Int32?, log: ServiceLog) {
    (self.loop, self.clock, self.starter, self.log) = (loop, clock, starter, log)
  }

  /// Takes the timer whose action carries the folder. Without one nothing is carried.
  func use(_ timer: (any EventLoop.Timer)?) {
    self.timer = timer
  }

  private var now: Timestamp { Timestamp(milliseconds: clock.wall) }

  /// Whether tokens expire so soon that they are to be replaced.
  func isExpiring(_ account: Account) -> Bool {
    account.expiresAt.map { $0 - Int(clock.wall / 1_000) < Self.refreshMargin } ?? false
  }

  /// Sends a request to a carrier of its own, which ends with the answer, or when the task is cancelled.
  ///
  /// - Throws: ``CarrierError``, ``AccountError``, `CancellationError`.
  func ask<Request: CarrierRequest>(
    _ request: Request, onPrompt: @escaping @Sendable (CarrierPrompt) -> Void = { _ in }
  ) async throws -> Request.Answer {
    guard let starter else { throw AccountError.carrierMissing }
    let program: CarrierProgram
    do {
      program = try CarrierProgram(starter, on: loop) { notification in
        guard notification.method == CarrierPrompt.method, let parameters = notification.parameters,
          let prompt = try? CarrierPrompt.read(parameters, at: "params")
        else { return }
        onPrompt(prompt)
      }
    } catch {
      log.record(error, of: "quickvault-carrier")
      throw AccountError.carrierFailed
    }
    defer { withExtendedLifetime(program) {} }
    do {
      return try await program.peer.ask(request)
    } catch let error as ResponseError {
      if error.data?["kind"]?.string == "rpc.invalidParameters" { throw ParameterError("address", .string) }
      guard let error = CarrierError(error) else { throw AccountError.carrierFailed }
      throw error == .cancelled ? CancellationError() : error as any Error
    } catch is PeerError {
      throw AccountError.carrierFailed
    }
  }

  /// Carries the folder soon: after a sign-in, or an unlock with an account.
  func begin() {
    isSignedIn = true
    failures = 0
    carrySoon()
  }

  /// Carries the folder soon if this machine has published more than at the last pass.
  func note(published: Int) {
    guard isSignedIn, published != self.published, failures == 0 else { return }
    carrySoon()
  }

  private func carrySoon() {
    guard carrying == nil else { return }
    timer?.set(after: .zero)
  }

  /// Ends a pass, and begins no other: for a lock, or after a sign-out.
  func stop() {
    timer?.cancel()
    carrying?.cancel()
    (isSignedIn, carrying, published, lastCarried, failure, failures) = (false, nil, nil, nil, nil, 0)
  }

  /// Runs a pass, unless one runs.
  func carry(_ published: Int, _ pass: @escaping () async throws -> Void, on actor: isolated any Actor) {
    guard carrying == nil else { return }
    self.published = published
    carrying = Task {
      _ = actor
      let result: Result<Void, any Error>
      do { result = .success(try await pass()) } catch { result = .failure(error) }
      guard !Task.isCancelled else { return }
      didCarry(result)
    }
  }

  private func didCarry(_ result: Result<Void, any Error>) {
    carrying = nil
    switch result {
    case .success: (lastCarried, failure, failures) = (now, nil, 0)
    case .failure(let error):
      failure = (ErrorDescriptor(error), failure?.since ?? now)
      failures = min(failures + 1, 5)
      log.record(error, of: "account")
    }
    timer?.set(after: .milliseconds(min(Self.interval << max(failures - 1, 0), Self.longestInterval)))
  }
}
