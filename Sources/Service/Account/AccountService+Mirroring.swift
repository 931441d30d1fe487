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
}
