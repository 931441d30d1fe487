import CarrierProtocol
import JSON
import VaultProtocol
import VaultSession

/// A server that somebody signed in to, as the vault keeps it.
struct Account: Hashable {
  var method: AccountMethod
  /// The URL of the WebDAV collection.
  var address: String
  var credentials: CarrierCredentials

  init(method: AccountMethod, address: String, credentials: CarrierCredentials) {
    (self.method, self.address, self.credentials) = (method, address, credentials)
  }

  /// Reads a document; nil for anything that this program did not write.
  init?(_ values: SettingsText) {
    guard let method = values["method"].flatMap(AccountMethod.init(rawValue:)),
      let address = values["address"],
      let text = values["credentials"], let json = try? JSONReader.read(Array(text.utf8)),
      let credentials = try? CarrierCredentials.read(json, at: "credentials")
    else { return nil }
    self.init(method: method, address: address, credentials: credentials)
  }

  var values: SettingsText {
    var values = SettingsText()
    values["method"] = method.rawValue
    values["address"] = address
    values["credentials"] = String(decoding: credentials.json.utf8, as: UTF8.self)
    return values
  }

  /// The user's name where it is known.
  var user: String? {
    if case .password(let user, _) = credentials { user } else { nil }
  }

  /// When the access token expires, in seconds since 1970.
  var expiresAt: Int? {
    if case .token(let token) = credentials { token.expiresAt } else { nil }
  }

  /// Whether new tokens can be had in place of these.
  var canRefresh: Bool {
    if case .token(let token) = credentials { token.refreshToken != nil } else { false }
  }
}

extension VaultSession {
  /// The account of the open vault; nil for none.
  ///
  /// - Throws: ``VaultError/locked``.
  func account() throws -> Account? { try accountValues().flatMap(Account.init) }
}
