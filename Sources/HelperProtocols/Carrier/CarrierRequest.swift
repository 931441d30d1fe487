package import Wire

/// A request to `quickvault-carrier serve`.
package protocol CarrierRequest: RequestType, OutgoingRequest, JSONObject where Response: JSONCodable {}

extension CarrierRequest {
  package var parameters: JSON? { json }
}

extension MemberCoder where Value == String? {
  /// A file with certificates of authorities (PEM), in place of those of the system.
  static func authorities(_ get: @escaping Getter<String?>) -> Self { .optionalPath("caFile", get) }

  /// An absolute path.
  static func optionalPath(_ name: String, _ get: @escaping Getter<String?>) -> Self {
    .optional(name, get).checked(name, .string) { @Sendable in $0?.hasPrefix("/") ?? true }
  }

  static func optionalText(_ name: String, _ get: @escaping Getter<String?>) -> Self {
    .optional(name, get).checked(name, .string) { @Sendable in $0?.isHeaderText ?? true }
  }

  static func optionalToken(_ name: String, _ get: @escaping Getter<String?>) -> Self {
    .optional(name, get).checked(name, .string) { @Sendable in $0?.isToken ?? true }
  }
}

extension MemberCoder where Value == String {
  static func text(_ name: String, _ get: @escaping Getter<String>) -> Self {
    .required(name, get).checked(name, .string) { @Sendable in $0.isHeaderText }
  }

  static func token(_ name: String, _ get: @escaping Getter<String>) -> Self {
    .required(name, get).checked(name, .string) { @Sendable in $0.isToken }
  }
}

extension String {
  /// Whether this has 1 to 16,384 bytes and no control character, so that it can be a part of a header.
  var isHeaderText: Bool {
    (1...16_384).contains(utf8.count)
      && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Whether this has 1 to 16,384 characters of ASCII that can be seen (RFC 6749, appendix A), as tokens have.
  package var isToken: Bool {
    (1...16_384).contains(utf8.count) && utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }
}
