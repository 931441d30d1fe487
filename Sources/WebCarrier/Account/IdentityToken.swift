import HelperProtocols
import Wire

/// The ID token of OpenID Connect Core 1.0, section 2, which says who signed in.
///
/// It is shown to the person and decides nothing. Its signature need not be checked: it comes from the token endpoint of
/// the provider, over TLS (section 3.1.3.7).
enum IdentityToken {
  /// Returns the e-mail address or the name; nil if the token has none.
  static func user(_ token: String) -> String? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let payload = parts[1].map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
    let padding = String(repeating: "=", count: (4 - payload.count % 4) % 4)
    guard let bytes = Base64.bytes(of: String(payload) + padding), let claims = try? JSONReader.read(bytes)
    else {
      return nil
    }
    let name = ["email", "preferred_username", "name"].lazy.compactMap { claims[$0]?.string }.first
    return name.map { ProviderText($0).text }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
