import HelperProtocols
import Vault
import VaultInterface
import Wire

/// A server that somebody signed in to, as the vault keeps it.
struct Account: Hashable {
  /// The credentials, or where they are stored.
  enum Secret: Hashable {
    /// In this account, which the vault seals.
    case sealed(CarrierCredentials)
    /// In the desktop's keychain, for the user if there is a name.
    case keychain(KeychainItem, user: String?)
  }

  var method: AccountMethod
  /// The URL of the WebDAV collection.
  var address: String
  /// The path of a file with certificates of authorities (PEM), in place of those of the system; nil for those.
  var authorities: String?
  var secret: Secret

  init(method: AccountMethod, address: String, authorities: String?, secret: Secret) {
    (self.method, self.address) = (method, address)
    (self.authorities, self.secret) = (authorities, secret)
  }

  /// Reads a document; nil for anything that this program did not write.
  init?(_ values: KeyValueText) {
    guard let method = values["method"].flatMap(AccountMethod.init(rawValue:)),
      let address = values["address"], let secret = Secret(values)
    else { return nil }
    self.init(method: method, address: address, authorities: values["caFile"], secret: secret)
  }

  var values: KeyValueText {
    var values = KeyValueText()
    values["method"] = method.rawValue
    values["address"] = address
    values["caFile"] = authorities
    switch secret {
    case .sealed(let credentials): values["credentials"] = credentials.json.text
    case .keychain(let item, let user): (values["keychain"], values["user"]) = (item.json.text, user)
    }
    return values
  }

  /// The user's name where it is known.
  var user: String? {
    switch secret {
    case .sealed(.password(let user, _)): user
    case .sealed(.token(let token)): token.user
    case .keychain(_, let user): user
    }
  }

  /// The item of the keychain; nil for a sealed account.
  var item: KeychainItem? {
    if case .keychain(let item, _) = secret { item } else { nil }
  }

  /// The credentials, if the vault stores them.
  var sealed: CarrierCredentials? {
    if case .sealed(let credentials) = secret { credentials } else { nil }
  }
}

extension Account.Secret {
  fileprivate init?(_ values: KeyValueText) {
    func read<Value: JSONCodable>(_ name: String) -> Value? {
      guard let text = values[name], let json = try? JSONReader.read(Array(text.utf8)) else { return nil }
      return try? Value.read(json, at: name)
    }
    if let credentials: CarrierCredentials = read("credentials") {
      self = .sealed(credentials)
    } else if let item: KeychainItem = read("keychain") {
      self = .keychain(item, user: values["user"])
    } else {
      return nil
    }
  }
}

extension JSON {
  fileprivate var text: String { String(decoding: utf8, as: UTF8.self) }
}

extension CarrierCredentials {
  /// When the access token expires, in seconds since 1970.
  var expiresAt: Int? {
    if case .token(let token) = self { token.expiresAt } else { nil }
  }

  /// Whether new tokens can be had in place of these.
  var canRefresh: Bool {
    if case .token(let token) = self { token.refreshToken != nil } else { false }
  }
}

extension VaultSession {
  /// The account of the open vault; nil for none.
  ///
  /// - Throws: ``VaultError/locked``.
  func account() throws -> Account? { try accountValues().flatMap(Account.init) }
}

/// Why there is nothing to do with an account.
enum AccountError: NamedError, Hashable {
  static let area = "account"

  case notSignedIn, alreadySignedIn
  /// `quickvault-carrier` is not installed, or ended.
  case carrierMissing, carrierFailed
  /// The keychain with the credentials is locked, or does not respond.
  case keychainLocked
}

extension ErrorDescriptor {
  /// Why a pass did not carry everything. No request fails with it.
  ///
  /// - Parameter file: one of the files that were left out.
  static func damaged(_ file: DamagedFile) -> Self {
    .init(
      "account.damaged", reason: file.isThere ? "there" : nil, words: ["file": Localized(verbatim: file.path)]
    )
  }
}

/// A file of the folder that a pass did not copy, because one of its copies is damaged.
struct DamagedFile: Hashable, Sendable {
  /// Below the folder.
  let path: String
  /// Whether the copy on the server is the damaged one. Otherwise it may be the one here.
  let isThere: Bool
}

/// The replacement of an account's tokens.
///
/// It goes on whether somebody waits for it or not, and in the next process after a lock: a provider may accept a refresh
/// token once, so that those which it sends in its place are to be kept.
struct TokenRefresh {
  /// The running refresh.
  var task: Task<CarrierCredentials, any Error>?
  /// A request, or its response, that the next process continues with.
  var pending: Pending?

  enum Pending {
    case request(CarrierProgram, TokenLock?, Account)
    /// New tokens of a vault that was locked meanwhile, which seals them when it opens.
    case answer(CarrierCredentials, Account)
    /// A request of the process before.
    case inherited(HandedOffRequest, Account)
  }

  /// Whether new tokens are to be kept that are not kept yet.
  var isPending: Bool { task != nil || pending != nil }

  /// Returns what the next process goes on with; nil for nothing. Its descriptors are others.
  func handedOff() -> HandedOff? {
    switch pending {
    case .request(let program, let lock, let account):
      guard let (carrier, received) = program.handOff() else { return nil }
      let request = HandedOffRequest(carrier: carrier, received: received, lock: lock?.handOff())
      return HandedOff(account: account, content: .request(request))
    case .answer(let credentials, let account):
      return HandedOff(account: account, content: .answer(credentials))
    case .inherited(let request, let account):
      return HandedOff(account: account, content: .request(request))
    case nil: return nil
    }
  }

  /// The state that is handed off at a lock.
  struct HandedOff: Hashable {
    var account: Account
    var content: Content

    enum Content: Hashable {
      case request(HandedOffRequest)
      case answer(CarrierCredentials)
    }

    var descriptors: [Int32] {
      if case .request(let request) = content {
        [request.carrier, request.lock].compactMap(\.self)
      } else {
        []
      }
    }
  }

  /// The descriptors of a carrier that was asked for tokens, and of the lock for them.
  struct HandedOffRequest: Hashable {
    var carrier: Int32
    /// What the carrier has answered.
    var received: [UInt8]
    var lock: Int32?
  }

  /// Takes over what the process before left.
  init(resuming handedOff: HandedOff?) {
    guard let handedOff else { return }
    switch handedOff.content {
    case .request(let request): pending = .inherited(request, handedOff.account)
    case .answer(let credentials): pending = .answer(credentials, handedOff.account)
    }
  }
}

/// Where an account's credentials are kept.
protocol CredentialStore: Sendable {
  /// Returns what is kept now: another process may have replaced it.
  ///
  /// - Throws: ``CarrierError``, ``AccountError``, ``VaultError``; `CancellationError` if that account is signed out.
  func newestCredentials(of account: Account) async throws -> CarrierCredentials

  /// Keeps new tokens in place of the old ones.
  ///
  /// - Throws: as ``newestCredentials(of:)``.
  func keep(_ new: CarrierCredentials, of account: Account) async throws

  /// Returns the lock for whoever replaces the tokens, not acquired; nil where there is none.
  func tokenLock() async -> TokenLock?
}
