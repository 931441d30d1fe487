package import Wire

/// The parameter `kdf`. The limits are those of the vault format.
extension KeyDerivationRequest: JSONObject {
  private enum Algorithm: String, CaseIterable, JSONCodable {
    case pbkdf2 = "pbkdf2-hmac-sha256"
    case argon2id
  }

  package static let coder = ObjectCoder<Self>(
    read: { members throws(ParameterError) in
      let algorithm: Algorithm = try members.required("algorithm")
      switch algorithm {
      case .pbkdf2: return .pbkdf2(iterations: try members.integer("iterations", in: 100_000...10_000_000))
      case .argon2id:
        return .argon2id(
          iterations: try members.integer("iterations", in: 1...64),
          memoryKiB: try members.integer("memoryKiB", in: 19_456...1_048_576))
      }
    },
    write: { request, members in
      func add(_ algorithm: Algorithm, _ iterations: Int?, _ memoryKiB: Int? = nil) {
        members.append(.init("algorithm", algorithm.json))
        if let iterations { members.append(.init("iterations", .integer(iterations))) }
        if let memoryKiB { members.append(.init("memoryKiB", .integer(memoryKiB))) }
      }
      switch request {
      case .pbkdf2(let iterations): add(.pbkdf2, iterations)
      case .argon2id(let iterations, let memoryKiB): add(.argon2id, iterations, memoryKiB)
      }
    })
}
