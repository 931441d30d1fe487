import CWeb

/// The address of a collection on a server.
package struct WebAddress: Sendable {
  private let scheme: String
  private let host: String
  private let port: String
  /// The path with percent-encoding. It ends with a slash.
  package let path: String

  /// Reads an address with `https`, or with `http` and a host that is this machine. Returns nil for any other, and for one
  /// with a user, a query or a fragment.
  package init?(_ text: String) {
    guard let parts = Parts(text), !parts.hasUserOrFragment, !parts.hasQuery else { return nil }
    guard parts.scheme == "https" || parts.scheme == "http" && parts.isLocal else { return nil }
    (scheme, host, port) = (parts.scheme, parts.host, parts.port)
    path = parts.path.hasSuffix("/") ? parts.path : parts.path + "/"
  }

  /// Reads the origin of a URL with `https`, or with `http` and a host that is this machine, as the address of its root. Returns
  /// nil for any other, and for one with a user or a fragment.
  init?(originOf url: String) {
    guard let parts = Parts(url), !parts.hasUserOrFragment,
      parts.scheme == "https" || parts.scheme == "http" && parts.isLocal
    else { return nil }
    (scheme, host, port, path) = (parts.scheme, parts.host, parts.port, "/")
  }

  /// Whether what is sent is encrypted; otherwise it does not leave this machine.
  package var isEncrypted: Bool { scheme == "https" }

  /// The address of something beneath.
  ///
  /// - Parameter name: characters that need no percent-encoding, and slashes.
  package func url(_ name: String) -> String {
    "\(scheme)://\(host):\(port)\(path)\(name)"
  }

  /// The URL of something beneath, as other servers write it: without the port if that is the usual one.
  ///
  /// - Parameter isEncrypted: false for `http`.
  func canonicalURL(_ name: String, isEncrypted: Bool) -> String {
    let isUsual = port == (self.isEncrypted ? "443" : "80")
    return (isEncrypted ? "https" : "http") + "://\(host)" + (isUsual ? "" : ":\(port)") + path + name
  }

  /// The URL that a reference (RFC 3986) in the answer of another URL means, at this origin whatever origin it names: a server
  /// behind a proxy may not know its own. Nil if it is not well formed.
  func url(_ reference: String, in url: String) -> String? {
    guard reference.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    guard let parts = Parts(url, then: reference) else { return nil }
    return "\(scheme)://\(host):\(port)\(parts.path)" + (parts.query.map { "?\($0)" } ?? "")
  }

  /// Returns whether a URL has the same scheme, host and port.
  package func isSameOrigin(_ url: String) -> Bool {
    guard let parts = Parts(url) else { return false }
    return parts.scheme == scheme && parts.host == host && parts.port == port
  }

  /// Returns whether a URL has the same host, but is not encrypted as this address is.
  func isSameWithoutTLS(_ url: String) -> Bool {
    guard isEncrypted, let parts = Parts(url) else { return false }
    return parts.scheme == "http" && parts.host == host
  }

  /// The decoded components of a reference, which is a URL or its path; nil if it is not well formed.
  package static func components(of reference: String) -> [String]? {
    let path = reference.hasPrefix("/") ? reference : Parts(reference)?.path
    guard let path else { return nil }
    var components: [String] = []
    for part in path.split(separator: "/") {
      guard let decoded = decode(part) else { return nil }
      components.append(decoded)
    }
    return components
  }

  static func decode(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
      guard digits.count == 2 else { return nil }
      bytes.append(UInt8(digits[0] << 4 | digits[1]))
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// What libcurl reads in a URL, so that the origin that is compared is the one that it would connect to.
  private struct Parts {
    var scheme = ""
    var host = ""
    var port = ""
    var path = ""
    var hasUserOrFragment = false
    var query: String?
    var hasQuery: Bool { query != nil }

    var isLocal: Bool { ["localhost", "127.0.0.1", "[::1]"].contains(host) }

    /// - Parameter reference: is resolved against the text.
    init?(_ text: String, then reference: String? = nil) {
      guard !text.utf8.contains(where: { $0 <= 32 || $0 == 127 }) else { return nil }
      guard let url = unsafe curl_url() else { return nil }
      defer { unsafe curl_url_cleanup(url) }
      for text in [text, reference].compactMap(\.self) {
        guard unsafe curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
      }
      func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(url, part, &value, UInt32(flags)) == CURLUE_OK, let value = unsafe value
        else {
          return nil
        }
        defer { unsafe curl_free(value) }
        return unsafe String(cString: value)
      }
      guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST),
        let port = part(CURLUPART_PORT, 1 << 0), let path = part(CURLUPART_PATH)
      else { return nil }
      (self.scheme, self.host) = (scheme.lowercased(), host.lowercased())
      (self.port, self.path) = (port, path)
      hasUserOrFragment = [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT].contains {
        part($0) != nil
      }
      query = part(CURLUPART_QUERY)
    }
  }
}
