import HelperProtocols
import Vault

extension AccountService {
  /// How long another process may take to replace the tokens, in tenths of a second. It may be suspended.
  private static let lockTimeout = 600

  /// Waits until tokens are replaced, if they are just being replaced.
  ///
  /// - Throws: `CancellationError`.
  func awaitRefresh() async throws {
    guard let task = refresh.task else { return }
    _ = try? await value(of: task)
    try Task.checkCancellation()
  }

  /// Refreshes tokens. Concurrent callers share one refresh.
  ///
  /// - Throws: ``CarrierError``, ``AccountError``, `CancellationError`, and what the store throws.
  func refreshed(
    _ old: CarrierCredentials, of account: Account, in store: any CredentialStore,
    on actor: isolated (any Actor)? = #isolation
  ) async throws -> CarrierCredentials {
    let task =
      refresh.task
      ?? Task {
        _ = actor
        defer { refresh.task = nil }
        return try await replace(old, of: account, in: store)
      }
    refresh.task = task
    return try await value(of: task)
  }

  /// Continues the refresh that the replaced process began.
  func resumeRefresh(in store: any CredentialStore, on actor: isolated any Actor) {
    guard case .inherited(let request, let account) = refresh.pending else { return }
    let lock = request.lock.map(TokenLock.init(acquired:))
    let program = CarrierProgram(resuming: request.carrier, received: request.received, on: loop)
    refresh.pending = .request(program, lock, account)
    refresh.task = Task {
      _ = actor
      defer { refresh.task = nil }
      return try await finishRefresh(of: account, in: store) {
        try await program.peer.resume(CarrierRefresh.self)
      }
    }
  }

  private func replace(
    _ old: CarrierCredentials, of account: Account, in store: any CredentialStore
  ) async throws -> CarrierCredentials {
    let lock = await store.tokenLock()
    var waits = 0
    while let lock, !lock.tryAcquire(), waits < Self.lockTimeout {
      waits += 1
      try await Task.sleep(for: .milliseconds(100))
    }
    let newest = try await store.newestCredentials(of: account)
    guard newest == old else { return newest }
    let program = try startProgram()
    refresh.pending = .request(program, lock, account)
    return try await finishRefresh(of: account, in: store) {
      try await program.peer.ask(CarrierRefresh(credentials: old, authorities: account.authorities))
    }
  }

  private func finishRefresh(
    of account: Account, in store: any CredentialStore, _ ask: () async throws -> CarrierRefresh.Response
  ) async throws -> CarrierCredentials {
    let new: CarrierCredentials
    do {
      new = try await answer(ask).credentials
    } catch {
      refresh.pending = nil
      throw error
    }
    do {
      try await store.keep(new, of: account)
      refresh.pending = nil
    } catch VaultError.locked {
      refresh.pending = .answer(new, account)
    } catch {
      refresh.pending = nil
      throw error
    }
    if lastRead != nil { lastRead = new }
    return new
  }

  /// Waits for a task that others may wait for as well: if this one is cancelled, it goes on.
  private func value(of task: Task<CarrierCredentials, any Error>) async throws -> CarrierCredentials {
    // Unlike a task's value, a stream ends when the task that waits for it is cancelled.
    let (results, continuation) = AsyncStream.makeStream(of: Result<CarrierCredentials, any Error>.self)
    Task { continuation.yield(await task.result) }
    for await result in results { return try result.get() }
    throw CancellationError()
  }
}
