package import Wire

/// `workspace/executeCommand` (LSP 3.17) for a command that edits or reads a document.
package struct ExecuteCommand: RequestType {
  package static let method = "workspace/executeCommand"
  package typealias Response = JSON

  package let command: VaultCommand

  package init(_ parameters: inout Parameters) throws(ParameterError) {
    defer { parameters.ignoreRest() }
    let word: String = try parameters.required("command")
    guard let name = VaultCommand.Name(rawValue: word) else {
      throw ParameterError("command", .oneOf(VaultCommand.Name.allCases.map(\.rawValue)))
    }
    let arguments: [JSON] = try parameters.required("arguments")
    guard let argument = arguments.first else { throw ParameterError("arguments[0]", .presence) }
    command = try VaultCommand(name, argument, at: "arguments[0]")
  }

  /// Whether a command waits for a password or a fingerprint.
  package static func unlocks(_ parameters: JSON?) -> Bool {
    parameters?["command"]?.string == VaultCommand.Name.unlock.rawValue
  }

  /// Whether a command locks the vault.
  package static func locks(_ parameters: JSON?) -> Bool {
    parameters?["command"]?.string == VaultCommand.Name.lock.rawValue
  }

  /// The vault's own method that a command without arguments stands for, and its parameters; nil if it stands for none.
  ///
  /// - Parameter hasFingerprint: whether a fingerprint can unlock the vault; otherwise a pinentry asks for the password.
  package static func method(
    for parameters: JSON?, hasFingerprint: @autoclosure () -> Bool
  ) -> (method: String, parameters: JSON)? {
    switch parameters?["command"]?.string.flatMap(VaultCommand.Name.init) {
    case .lock: ("session/lock", [:])
    case .unlock: ("session/unlock", ["method": hasFingerprint() ? "biometric" : "pinentry"])
    case .requestConsent: ("client/requestConsent", [:])
    default: nil
    }
  }
}
