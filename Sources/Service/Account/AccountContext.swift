import HelperProtocols
import Vault
import VaultInterface
import Wire

/// The account of the vault, or the one that waits for a vault.
struct AccountContext: HandlerContext {
  let work: WorkContext
  let account: AccountService
  let notifications: ClientNotifications
  /// ``ClientConversation/proxies``.
  let proxies: [String: String]?
  private let service: VaultService

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    work = WorkContext(service, client)
    (account, notifications, proxies) = (service.account, client.notifications, client.proxies)
    self.service = service
  }

  var session: VaultSession { work.session }

  private var waitsForVault: Bool {
    get throws { try session.isLocked && !session.status().exists }
  }

  /// Returns the account; nil if nobody is signed in.
  ///
  /// - Throws: ``VaultError/locked``.
  func stored() throws -> Account? { try waitsForVault ? account.waiting : session.account() }

  /// Keeps the account in place of the one before; nil forgets it.
  ///
  /// - Throws: ``VaultError/locked``, ``VaultError/readOnly``.
  func store(_ new: Account?) throws {
    guard try waitsForVault else { return try session.setAccount(new?.values) }
    account.waiting = new
  }

  /// Moves the credentials to the keychain, if there is one, and schedules a pass. Does nothing while the vault is
  /// locked or missing.
  func begin() async throws {
    guard !session.isLocked else { return }
    // What is known of an earlier account, from which another process signed out, is not of this one.
    account.stop()
    try await work.interruptibly { await service.moveToKeychain() }
    if !session.isLocked { account.begin() }
  }

  /// Runs `body` with the credentials, and stores refreshed tokens.
  ///
  /// - Throws: as ``AccountService/withCredentials(of:prompts:in:_:)``; ``VaultError/locked``.
  func withCredentials<Response: Sendable>(
    of account: Account, _ body: (CarrierCredentials) async throws -> Response
  ) async throws -> Response {
    try await work.interruptibly {
      try await self.account.withCredentials(of: account, prompts: true, in: service, body)
    }
  }

  /// Waits until tokens are replaced, if they are just being replaced.
  ///
  /// - Throws: `CancellationError`, ``VaultError/locked``.
  func awaitRefresh() async throws {
    try await work.interruptibly { try await account.awaitRefresh() }
  }

  /// Runs something after which the folder is no longer mirrored. If that fails, it is mirrored again.
  ///
  /// - Throws: what `body` throws.
  func endingMirroring<Response>(_ body: () async throws -> Response) async throws -> Response {
    account.stop()
    do {
      return try await body()
    } catch {
      if !session.isLocked { account.begin() }
      throw error
    }
  }

  /// Deletes the credentials from the keychain.
  func deleteSecret(of old: Account) async {
    guard let item = old.item else { return }
    try? await work.interruptibly { await account.keychain.delete(item, prompts: true) }
  }

  /// Checks that the person was there in the last minute (R9). Without a vault there is nothing to check with.
  func confirm() throws {
    if try !waitsForVault { try work.confirmation.require() }
  }

  /// Has the server forget an account, which is to be forgotten here whether it does or not.
  ///
  /// - Throws: `CancellationError`, ``VaultError/locked``.
  func revoke(_ old: Account) async throws -> AccountSignOut.Response {
    do {
      let revoked = try await work.interruptibly {
        let credentials = try await account.credentials(of: old, prompts: true)
        return try await account.ask(
          CarrierRevoke(address: old.address, credentials: credentials, authorities: old.authorities)
        ).revoked
      }
      return AccountSignOut.Response(revoked: revoked)
    } catch  where error is CarrierError || error is AccountError {
      let message = LocalizedMessage(ErrorDescriptor(error).message, in: work.language)
      return AccountSignOut.Response(revoked: false, message: message)
    }
  }

  /// Whether somebody is signed in, and how the folder is mirrored, in the client's language.
  func answer() throws -> AccountResponse {
    guard let stored = try stored() else { return AccountResponse(nil) }
    let expiresAt = (stored.sealed ?? account.lastRead)?.expiresAt
    return AccountResponse(
      AccountResponse.Details(
        method: stored.method, address: stored.address, user: stored.user,
        authorities: stored.authorities,
        tokensIn: try waitsForVault ? nil : stored.item == nil ? .vault : .keychain,
        expiresAt: expiresAt.map { Timestamp(milliseconds: Int64($0) * 1_000) },
        mirror: SyncResponse.MirrorStatus(account, work.language)))
  }
}

/// Stores the server's credentials in the desktop's keychain: one item for each vault and device.
struct AccountKeychain {
  /// What the desktop's keychain viewer shows.
  private static let label = "QuickVault: sign-in to the server that carries the folder"
  private static let timeoutSeconds = BiometricUnlock.keychainTimeoutSeconds

  /// An item's content. Another vault with the same identifier may have signed in elsewhere.
  private struct Content: ResultObject {
    var address: String
    var credentials: CarrierCredentials

    static let coder = ObjectCoder(
      Self.init(address:credentials:), .required("address", \.address),
      .required("credentials", \.credentials))
  }

  let desktop: DesktopLink

  /// Reads an item.
  ///
  /// - Parameters:
  ///   - address: the server that it must be for.
  ///   - prompts: whether the keychain may ask the user to unlock it.
  /// - Throws: ``AccountError/keychainLocked``; `CarrierError.signInAgain` if it is not there; `CancellationError`.
  func read(_ item: KeychainItem, for address: String, prompts: Bool) async throws -> CarrierCredentials {
    let request = KeychainRead(item: item, prompts: prompts, timeoutSeconds: Self.timeoutSeconds)
    guard let bytes = Base64.bytes(of: try await ask(request).secret), let json = try? JSONReader.read(bytes),
      let content = try? Content.read(json, at: "secret"), content.address == address
    else { throw CarrierError.signInAgain }
    return content.credentials
  }

  /// Stores an item in place of the one before.
  ///
  /// - Throws: ``AccountError/keychainLocked``, `CancellationError`.
  func store(
    _ credentials: CarrierCredentials, for address: String, as item: KeychainItem, prompts: Bool
  ) async throws {
    let content = Content(address: address, credentials: credentials).json.utf8
    _ = try await ask(
      KeychainStore(
        item: item, secret: unsafe Base64.encode(content.span.bytes), label: Self.label, prompts: prompts,
        timeoutSeconds: Self.timeoutSeconds))
  }

  /// Deletes an item, if the keychain allows it.
  func delete(_ item: KeychainItem, prompts: Bool) async {
    _ = try? await ask(KeychainDelete(item: item, prompts: prompts, timeoutSeconds: Self.timeoutSeconds))
  }

  private func ask<Request: KeychainRequest>(_ request: Request) async throws -> Request.Response {
    do {
      return try await request.prompts ? desktop.askUser(request) : desktop.ask(request)
    } catch BiometricError.invalidContext {
      throw CarrierError.signInAgain
    } catch is BiometricError {
      throw AccountError.keychainLocked
    }
  }
}
