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
