package import Wire

/// `account/didPrompt`: the person opens a page to sign in.
package struct AccountDidPrompt: VaultNotification, Hashable {
  package static let method = "account/didPrompt"

  package var url: String
  /// The code to type there; nil if none is needed.
  package var code: String?
  /// The same page with the code in its URL, such as for a QR code.
  package var urlWithCode: String?
  package var expiresInSeconds: Int

  package init(url: String, code: String?, urlWithCode: String?, expiresInSeconds: Int) {
    (self.url, self.code, self.urlWithCode) = (url, code, urlWithCode)
    self.expiresInSeconds = expiresInSeconds
  }

  package static let coder = ObjectCoder(
    Self.init(url:code:urlWithCode:expiresInSeconds:), .required("url", \.url), .optional("code", \.code),
    .optional("urlWithCode", \.urlWithCode), .required("expiresInSeconds", \.expiresInSeconds))
}
