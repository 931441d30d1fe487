import CarrierProtocol
import VaultSession
import VaultSync

/// Carrying the folder unasked, while the vault is unlocked, synchronised and signed in.
extension VaultService {
  /// Begins a pass; called when the timer fires.
  func carryUnasked() {
    guard !session.isLocked, vault.demo == nil, let status = try? session.syncStatus(),
      let stored = try? session.account(), let folder = try? UserPath(status.folder)
    else { return }
    account.carry(status.published, { try await self.carry(stored, folder.path) }, on: self)
  }

  private func carry(_ stored: Account, _ folder: String) async throws {
    var current = stored
    if account.isExpiring(current), current.canRefresh { current = try await refreshed(current) }
    do {
      try await mirror(folder, current)
    } catch CarrierError.refused where current == stored && current.canRefresh {
      try await mirror(folder, refreshed(current))
    }
    sync.run(after: SyncService.arrivalDelay)
  }

  private func mirror(_ folder: String, _ account: Account) async throws {
    _ = try await self.account.ask(
      CarrierMirror(folder: folder, address: account.address, credentials: account.credentials))
  }

  /// Keeps new tokens in place of those of an account, unless it was signed out meanwhile.
  private func refreshed(_ old: Account) async throws -> Account {
    var new = old
    new.credentials = try await account.ask(CarrierRefresh(credentials: old.credentials)).credentials
    try Task.checkCancellation()
    guard try session.account() == old else { throw CancellationError() }
    try session.setAccount(new.values)
    return new
  }
}
