import HelperProtocols
import Vault

extension VaultService: CredentialStore {
  func newestCredentials(of stored: Account) async throws -> CarrierCredentials {
    let current = try current(stored)
    switch current.secret {
    case .sealed(let credentials): return credentials
    case .keychain(let item, _):
      return try await account.keychain.read(item, for: current.address, prompts: false)
    }
  }

  /// Keeps new tokens where the old ones are. In a vault that is open they are sealed if the keychain was just locked.
  func keep(_ new: CarrierCredentials, of stored: Account) async throws {
    var current = try current(stored)
    if account.waiting == current {
      account.waiting?.secret = .sealed(new)
      return
    }
    if let item = current.item {
      do {
        return try await account.keychain.store(new, for: current.address, as: item, prompts: false)
      } catch AccountError.keychainLocked {}
    }
    let old = current
    current.secret = .sealed(new)
    try await session.waitingForOthers {
      guard try session.account() == old else { throw CancellationError() }
      try session.setAccount(current.values)
    }
  }

  func tokenLock() -> TokenLock? { session.tokenLock() }

  /// Returns an account as it is now: another process may have replaced its tokens, or moved them to the keychain.
  ///
  /// - Throws: `CancellationError` if it was signed out, or deleted with the vault.
  private func current(_ stored: Account) throws -> Account {
    let current: Account?
    if let waiting = account.waiting {
      current = waiting
    } else if session.isLocked {
      current = try session.status().exists ? stored : nil
    } else {
      current = try session.account()
    }
    guard let current, (current.method, current.address) == (stored.method, stored.address) else {
      throw CancellationError()
    }
    return current
  }

  /// Seals tokens that came while the vault was locked.
  private func sealRefreshedTokens() {
    guard case .answer(let credentials, var stored) = account.refresh.pending else { return }
    account.refresh.pending = nil
    do {
      guard try session.account() == stored else { return }
      stored.secret = .sealed(credentials)
      try session.setAccount(stored.values)
    } catch {
      log.record(error, of: "account")
    }
  }
}

/// Automatic passes over the folder, while the vault is synchronised and signed in.
extension VaultService {
  /// Begins a pass; called when the timer fires.
  func mirrorAutomatically() {
    guard vault.demo == nil else { return }
    if session.isLocked {
      guard let lockedMirror = account.lockedMirror, (try? session.status())?.exists == true else { return }
      return carry(lockedMirror.account, lockedMirror.folder, published: nil)
    }
    guard let status = try? session.syncStatus(), let stored = try? session.account(),
      let folder = try? UserPath(status.folder)
    else { return }
    carry(stored, folder.path, published: status.published)
  }

  /// How long a request waits for a pass over the folder.
  private static let mirrorTimeout = Duration.seconds(30)

  /// Carries the folder and waits for it, while other clients are answered.
  ///
  /// - Parameter access: the turn of the request that asks.
  /// - Returns: whether there is an account.
  func mirrorOnRequest(leaving access: Access) async throws -> Bool {
    guard account.isSignedIn else { return false }
    await requests.leave(access)
    // One that runs may have looked at the server before.
    await account.awaitPass(within: Self.mirrorTimeout)
    if !Task.isCancelled, account.mirrorNow() {
      mirrorAutomatically()
      await account.awaitPass(within: Self.mirrorTimeout)
    }
    await requests.takeAgain(access)
    try Task.checkCancellation()
    return true
  }

  private func carry(_ stored: Account, _ folder: String, published: Int?) {
    account.carry(
      published, { try await self.carry(stored, folder) }, then: { self.notifySyncStatus() }, on: self)
  }

  /// Has a carrier of its own carry what was published since the last pass began. It waits for that pass, and outlives the lock.
  /// The next process goes on if the keychain has what signs in.
  func mirrorBeforeLock() {
    guard !session.isLocked, vault.demo == nil, let status = try? session.syncStatus(),
      let stored = try? session.account(), let folder = try? UserPath(status.folder)
    else { return }
    if account.isBehind(status.published) { account.finish(folder.path, of: stored) }
    if stored.item != nil { account.lockedMirror = LockedMirror(account: stored, folder: folder.path) }
  }

  private func carry(_ stored: Account, _ folder: String) async throws -> PassResult {
    let result = try await account.carry(folder, of: stored, in: self) { [weak self] percentage in
      self?.assumeIsolated { if $0.account.didMirror(percentage: percentage) { $0.notifySyncStatus() } }
    }
    guard !session.isLocked else { return result }
    sync.schedule(after: SyncService.arrivalDelay)
    shortenSegments(result.tooLarge)
    return result
  }

  /// Has smaller segments published if the server did not take one of this machine.
  private func shortenSegments(_ files: [String: Int]) {
    guard let replica = try? session.syncStatus().replica else { return }
    let sizes = files.filter { $0.key.contains("/changes/\(replica)/") }.values
    guard let size = sizes.min() else { return }
    do {
      _ = try session.shortenSegments(below: size)
    } catch {
      log.record(error, of: "account")
    }
  }

  /// Moves the credentials from the open vault to the desktop's keychain, which may prompt the user to unlock it. They
  /// stay in the vault if there is no keychain, or the user declines.
  func moveToKeychain() async {
    guard vault.demo == nil, !account.isMoving, let stored = try? session.account(),
      let credentials = stored.sealed, let item = try? KeychainItem(of: session, for: .account)
    else { return }
    account.isMoving = true
    defer { account.isMoving = false }
    do {
      try await account.keychain.store(credentials, for: stored.address, as: item, prompts: true)
      var moved = stored
      moved.secret = .keychain(item, user: stored.user)
      try await session.waitingForOthers {
        guard try session.account() == stored else { throw CancellationError() }
        try session.setAccount(moved.values)
      }
      account.lastRead = credentials
    } catch {
      log.record(error, of: "account")
      // A request that was given up may have stored it.
      Task { [keychain = account.keychain] in await keychain.delete(item, prompts: false) }
    }
  }

  /// Begins to carry the folder of the vault that was opened, which takes over the account that waited for one.
  func beginMirroring() {
    account.lockedMirror = nil
    sealRefreshedTokens()
    guard let waiting = account.waiting else {
      if (try? session.account()) != nil { account.begin() }
      return
    }
    do {
      if try session.account() == nil { try session.setAccount(waiting.values) }
      account.waiting = nil
    } catch {
      log.record(error, of: "account")
    }
    Task {
      await moveToKeychain()
      if (try? session.account()) != nil { account.begin() }
    }
  }
}
