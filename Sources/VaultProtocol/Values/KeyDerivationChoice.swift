package import JSON

/// The key derivation that the client chooses: `kdf`. The limits are those of the vault format.
package struct KeyDerivationChoice: JSONObject, Hashable {
  package enum Algorithm: String, CaseIterable, JSONCodable {
    /// RFC 8018, the default.
    case pbkdf2 = "pbkdf2-hmac-sha256"
    /// RFC 9106.
    case argon2id
  }

  package var algorithm: Algorithm
  /// The number of iterations or passes; nil for the default.
  package var iterations: Int?
  /// The memory in KiB, for Argon2id only; nil for the default.
  package var memoryKiB: Int?

  package static let coder = ObjectCoder<Self>(
    read: { members throws(ParameterError) in
      let algorithm: Algorithm = try members.required("algorithm")
      let limits = algorithm == .pbkdf2 ? 100_000...10_000_000 : 1...64
      return KeyDerivationChoice(
        algorithm: algorithm, iterations: try members.integer("iterations", in: limits),
        memoryKiB: algorithm == .argon2id ? try members.integer("memoryKiB", in: 19_456...1_048_576) : nil)
    },
    write: { choice, members in
      members.append(.init("algorithm", choice.algorithm.json))
      if let iterations = choice.iterations { members.append(.init("iterations", .integer(iterations))) }
      if let memoryKiB = choice.memoryKiB { members.append(.init("memoryKiB", .integer(memoryKiB))) }
    })
}
