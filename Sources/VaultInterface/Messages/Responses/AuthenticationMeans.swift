package import Wire

/// How the user authenticates: with the parameter `password`, or with `method` being `biometric`.
package enum AuthenticationMeans: JSONObject, Hashable {
  case password(String)
  /// A fingerprint, on a bound device.
  case biometric

  private enum Method: String, CaseIterable, JSONCodable {
    case password, biometric
  }

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      guard try isBiometric(&parameters) else { return .password(try parameters.required("password")) }
      return .biometric
    },
    write: { means, members in
      switch means {
      case .password(let password): members.append(.init("password", .string(password)))
      case .biometric: members.append(.init("method", Method.biometric.json))
      }
    })

  /// Takes the same parameters, where neither is required.
  static func optional(_ parameters: inout Parameters) throws(ParameterError) -> AuthenticationMeans? {
    guard try isBiometric(&parameters) else {
      let password: String? = try parameters.optional("password")
      return password.map { .password($0) }
    }
    return .biometric
  }

  private static func isBiometric(_ parameters: inout Parameters) throws(ParameterError) -> Bool {
    guard try parameters.optional("method") == Method.biometric else { return false }
    let password: String? = try parameters.optional("password")
    guard password == nil else { throw ParameterError("password", .absenceWith("method")) }
    return true
  }
}

/// The parameters that ask for the original of an attachment.
package struct OriginalRequest: JSONObject, Hashable {
  /// Whether the attachment is wanted without its watermark.
  package var isWanted: Bool
  package var means: AuthenticationMeans?

  package init(isWanted: Bool, means: AuthenticationMeans? = nil) {
    (self.isWanted, self.means) = (isWanted, means)
  }

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      OriginalRequest(
        isWanted: try parameters.optional("original", default: false),
        means: try AuthenticationMeans.optional(&parameters))
    },
    write: { request, members in
      if request.isWanted { members.append(.init("original", true)) }
      if let means = request.means { AuthenticationMeans.coder.write(means, &members) }
    })
}
