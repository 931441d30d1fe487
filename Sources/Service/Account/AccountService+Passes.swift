import Glibc
import HelperProtocols
import Vault
import Wire

extension AccountService {
  /// Carries a folder once, with new tokens in place of those that expire or are refused.
  ///
  /// - Parameters:
  ///   - store: where new tokens are kept, before they are used.
  ///   - report: gets the progress in percent.
  /// - Throws: ``CarrierError``, ``AccountError``, `CancellationError`, and what the store throws.
  @discardableResult func carry(
    _ folder: String, of account: Account, in store: any CredentialStore,
    report: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> PassResult {
    let listsAll = takeListsAll()
    return try await withCredentials(of: account, in: store) {
      try await mirror(folder, account, $0, listsAll: listsAll, report)
    }
  }

  /// Runs `body` with the credentials; refreshes tokens that expire or are refused.
  ///
  /// - Parameters:
  ///   - prompts: whether the keychain may ask the user to unlock it.
  ///   - store: where new tokens are kept, before they are used.
  /// - Throws: ``CarrierError``, ``AccountError``, `CancellationError`, and what the store and `body` throw.
  func withCredentials<Response>(
    of account: Account, prompts: Bool = false, in store: any CredentialStore,
    _ body: (CarrierCredentials) async throws -> Response
  ) async throws -> Response {
    try await awaitRefresh()
    let old = try await credentials(of: account, prompts: prompts)
    var current = old
    if isExpiring(old), old.canRefresh { current = try await refreshed(old, of: account, in: store) }
    do {
      return try await body(current)
    } catch CarrierError.refused where current == old && old.canRefresh {
      return try await body(refreshed(old, of: account, in: store))
    }
  }

  /// Returns the credentials.
  ///
  /// - Parameter prompts: whether the keychain may ask the user to unlock it.
  /// - Throws: as ``AccountKeychain/read(_:for:prompts:)``.
  func credentials(of account: Account, prompts: Bool = false) async throws -> CarrierCredentials {
    switch account.secret {
    case .sealed(let credentials): return credentials
    case .keychain(let item, _):
      let credentials = try await keychain.read(item, for: account.address, prompts: prompts)
      try Task.checkCancellation()
      lastRead = credentials
      return credentials
    }
  }

  /// Starts a carrier for one pass, without waiting for it and without refreshing tokens.
  func finish(_ folder: String, of account: Account) {
    guard let credentials = account.sealed ?? lastRead, !isExpiring(credentials) else { return }
    begin(
      CarrierMirror(
        folder: folder, address: account.address, credentials: credentials,
        authorities: account.authorities, finishes: true))
  }

  /// Carries the folder from which the first vault is made, which need not be there yet; nothing if nobody is signed in.
  ///
  /// - Throws: as ``carry(_:of:in:report:)``; ``FileError``.
  func mirrorBeforeJoining(
    _ folder: UserPath, in store: any CredentialStore, report: @escaping @Sendable (Int) -> Void
  ) async throws {
    guard let waiting else { return }
    guard unsafe mkdir(folder.path, 0o700) == 0 || errno == EEXIST else { throw FileError.writing(errno) }
    try await carry(folder.path, of: waiting, in: store, report: report)
  }

  private func mirror(
    _ folder: String, _ account: Account, _ credentials: CarrierCredentials, listsAll: Bool,
    _ report: @escaping @Sendable (Int) -> Void
  ) async throws -> PassResult {
    let request = CarrierMirror(
      folder: folder, address: account.address, credentials: credentials,
      authorities: account.authorities, progressToken: 0, finishes: true, listsAll: listsAll)
    let answer = try await ask(request) { notification in
      guard notification.method == CarrierProgress.method, let parameters = notification.parameters,
        let progress = try? CarrierProgress.read(parameters, at: "params")
      else { return }
      report(progress.value.percentage)
    }
    let error =
      answer.failed.first.map { ErrorDescriptor($0.error) }
      ?? answer.damaged.first.map {
        .damaged(DamagedFile(path: $0, isThere: answer.damagedThere.contains($0)))
      }
    let changes = answer.sent + answer.received + answer.removedHere + answer.removedThere
    var result = PassResult(error: error, isIdle: changes == 0)
    result.notice = answer.notice.map { ErrorDescriptor($0) }
    for failure in answer.failed {
      if case .tooLarge(let size) = failure.error { result.tooLarge[failure.file] = size }
    }
    return result
  }

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

/// What a pass did.
struct PassResult: Sendable {
  /// Why some files were not carried; nil if all were.
  var error: ErrorDescriptor?
  /// Why uploads were less safe than usual; nil if they were not.
  var notice: ErrorDescriptor?
  /// Whether nothing was copied or removed.
  var isIdle = false
  /// The files that the server did not take because of their sizes in bytes.
  var tooLarge: [String: Int] = [:]
}

/// How long after a pass over the folder the next one begins. Times are in milliseconds.
struct PassPauses {
  /// After a pass, if nothing was published before.
  private static let interval: Int64 = 60_000
  /// At most after failures.
  private static let maximumInterval: Int64 = 900_000
  /// At most while nothing changes, or if some files could not be carried.
  private static let idleInterval: Int64 = 300_000
  /// How many passes without a change the interval stays as it is.
  private static let passesBeforeIdle = 10
  /// What a server counts as that takes no requests and does not say when: such limits are by the half hour or so.
  private static let failuresOfLimit = 4
  /// The longest time that a server is left alone, in seconds.
  private static let longestBlock = 86_400

  /// How many passes failed as a whole, one after the other.
  private(set) var failures = 0
  /// How many passes found nothing to do, one after the other.
  private var idlePasses = 0
  private var isPartial = false
  /// Until when the server wants no requests, by the boot clock.
  private var blockedUntil: Int64 = 0

  /// Notes how a pass ended, at a time of the boot clock.
  mutating func note(_ result: Result<PassResult, any Error>, at time: Int64) {
    blockedUntil = 0
    switch result {
    case .success(let pass):
      (failures, isPartial) = (0, pass.error != nil)
      idlePasses = pass.isIdle ? idlePasses + 1 : 0
    case .failure(let error):
      (failures, idlePasses) = (min(failures + 1, 5), 0)
      guard case .rateLimited(let seconds)? = error as? CarrierError else { return }
      if let seconds {
        blockedUntil = time + Int64(min(seconds, Self.longestBlock)) * 1_000
      } else {
        failures = max(failures, Self.failuresOfLimit)
      }
    }
  }

  /// Begins anew, whatever failed before.
  mutating func forgetFailures() { failures = 0 }

  /// Whether the server wants no requests at a time of the boot clock.
  func isBlocked(at time: Int64) -> Bool { time < blockedUntil }

  /// How long after a time of the boot clock the next pass begins.
  func pause(at time: Int64) -> Int64 {
    let pause =
      if failures > 0 {
        min(Self.interval << (failures - 1), Self.maximumInterval)
      } else if isPartial {
        Self.idleInterval
      } else {
        min(Self.interval << min(max(idlePasses - Self.passesBeforeIdle, 0), 3), Self.idleInterval)
      }
    return max(pause, blockedUntil - time)
  }
}
