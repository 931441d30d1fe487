import JSON
import VaultModel
import VaultProtocol

/// Being admitted to the unlocked vault by somebody who uses another program.
extension Vault {
  /// Asks the users of admitted programs for consent, and waits. Enter ends the wait.
  ///
  /// - Returns: false if the password is needed instead.
  func askForConsent(_ status: JSON) throws(Failure) -> Bool {
    guard !passwords.isGiven, case .array(let programs)? = status["consentFrom"], !programs.isEmpty else {
      return false
    }
    let names = programs.map(Self.name).joined(separator: invocation.text(", ", "、"))
    guard Terminal.isInteractive else {
      invocation.report("waiting for consent in \(names)", "正在等待 \(names) 中的许可")
      return try take(send(ClientRequestConsent.method))
    }
    let (invocation, terminal) = (invocation, invocation.terminal)
    // What is typed meanwhile may be the password.
    return try terminal.withoutEcho { () throws(Failure) in
      invocation.report(
        "waiting for consent in \(names); press Enter for the password", "正在等待 \(names) 中的许可；按回车改用密码")
      let answer = try send(ClientRequestConsent.method, cancelling: terminal.input)
      try terminal.skipLine(after: answer)
      return try take(answer)
    }
  }

  /// - Returns: whether the program is admitted.
  private func take(_ answer: Result<JSON, VaultError>) throws(Failure) -> Bool {
    switch answer {
    case .success: return true
    case .failure(let error) where error.isCancellation: return false
    case .failure(let error) where error.kind.hasPrefix("auth."):
      invocation.report(error.message)
      return false
    case .failure(let error): throw error.failure
    }
  }

  /// A program as a user knows it, such as `emacs (4711, /dev/pts/2)`.
  private static func name(_ program: JSON) -> String {
    let process = program["process"]?.integer.map { ["\($0)"] } ?? []
    let place = process + (program["terminal"]?.string.map { [$0] } ?? [])
    return "\(program["name"]?.string ?? "?") (\(place.joined(separator: ", ")))"
  }
}

extension Terminal {
  /// Reads and discards the input line whose Enter cancelled a request.
  func skipLine(after answer: Result<JSON, VaultError>) throws(Failure) {
    guard case .failure(let error) = answer, error.isCancellation, try Signals.wait(for: input, timeout: 0)
    else {
      return
    }
    _ = try Descriptor.readLine(input)
  }
}
