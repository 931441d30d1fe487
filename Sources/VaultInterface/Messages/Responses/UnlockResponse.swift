package import Wire

/// The answer when the vault is open.
package struct UnlockResponse: ResultObject, Hashable {
  package var cardCount: Int
  /// The time without activity after which the vault locks, in seconds; nil for never.
  package var autoLockSeconds: Int?
  /// Whether to offer fingerprint unlock now. Each device is offered it once.
  package var offersBiometric: Bool
  /// The state of the vault.
  package var integrity: Integrity
  /// The times of an older copy; nil for any other.
  package var older: OlderCopy?
  /// True if the vault can be read and not written; else nil.
  package var isReadOnly: Bool?
  /// Nil unless this is a demo vault.
  package var demo: DemoDescription?

  package init(
    cardCount: Int, autoLockSeconds: Int?, offersBiometric: Bool, integrity: Integrity, older: OlderCopy?,
    isReadOnly: Bool?, demo: DemoDescription?
  ) {
    (self.older, self.isReadOnly) = (older, isReadOnly)
    (self.cardCount, self.autoLockSeconds) = (cardCount, autoLockSeconds)
    (self.offersBiometric, self.integrity, self.demo) = (offersBiometric, integrity, demo)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("cardCount", \.cardCount), .nullable("autoLockSeconds", \.autoLockSeconds),
    .required("offerBiometric", \.offersBiometric), .required("integrity", \.integrity),
    .optional("older", \.older), .optional("readOnly", \.isReadOnly), .optional("demo", \.demo))
}

extension OlderCopy: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .optional("modifiedAt", \.modifiedAt), .optional("lastSeenModifiedAt", \.lastSeenModifiedAt))
}

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

/// The description of a demo vault for clients.
package struct DemoDescription: ResultObject, Hashable {
  /// The vault's password; nil if the user chose one.
  package var password: String?

  package init(password: String?) { self.password = password }

  package static let coder = ObjectCoder(Self.init(password:), .nullable("password", \.password))
}

/// A program that uses the vault, as the kernel describes it: nothing here is what the program says of itself (U).
package struct ClientProgram: ResultObject, Hashable {
  /// The name of the program, such as `emacs`; of a relay, that of the program that started it.
  package var name: String
  package var process: Int
  /// The terminal it runs in, such as `/dev/pts/3`; nil for none.
  package var terminal: String?

  package init(name: String, process: Int, terminal: String?) {
    (self.name, self.process, self.terminal) = (name, process, terminal)
  }

  package static let coder = ObjectCoder(
    Self.init, .required("name", \.name), .required("process", \.process), .optional("terminal", \.terminal))
}

extension BoundDevice: ResultObject {
  package static let coder = ObjectCoder(
    Self.init, .required("id", \.id), .required("name", \.name), .required("createdAt", \.createdAt),
    .nullable("lastUsedAt", \.lastUsedAt), .required("thisDevice", \.isThisDevice))
}
