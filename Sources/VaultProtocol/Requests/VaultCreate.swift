package import JSON
package import VaultModel

/// `vault/create`: creates the vault, or a demo vault, and opens it (R11, R22, L).
package struct VaultCreate: VaultRequest {
  package static let method = "vault/create"
  package typealias Response = UnlockResponse

  /// At least 8 characters; nil for a demo vault with the default password.
  package var password: String?
  /// Nil for the default.
  package var keyDerivation: KeyDerivationRequest?
  /// Whether to create a temporary vault with sample cards.
  package var isDemo: Bool

  package static let coder = ObjectCoder<Self>(
    read: { parameters throws(ParameterError) in
      let isDemo: Bool = try parameters.optional("demo") ?? false
      return Self(
        password: isDemo ? try parameters.optional("password") : try parameters.required("password"),
        keyDerivation: try parameters.optional("kdf"), isDemo: isDemo)
    },
    write: { request, members in
      if request.isDemo { members.append(.init("demo", true)) }
      if let password = request.password { members.append(.init("password", .string(password))) }
      if let choice = request.keyDerivation { members.append(.init("kdf", choice.json)) }
    })
}
