import VaultInterface
import Wire

/// Being admitted to the unlocked vault by somebody who uses another program.
extension Vault {
  /// Asks the users of admitted programs for consent, and waits. Enter ends the wait.
  ///
  /// - Returns: false if the password is needed instead.
  func askForConsent(_ status: VaultStatus.Response) throws(Failure) -> Bool {
    guard !passwords.isGiven, let programs = status.consentFrom, !programs.isEmpty else { return false }
    let names = programs.map(Self.name).joined(separator: invocation.text(", ", "、"))
    guard Terminal.isInteractive else {
      invocation.report("waiting for consent in \(names)", "正在等待 \(names) 中的许可")
      return try take(send(ClientRequestConsent()))
    }
    let (invocation, terminal) = (invocation, invocation.terminal)
    // What is typed meanwhile may be the password.
    return try terminal.withoutEcho { () throws(Failure) in
      invocation.report(
        "waiting for consent in \(names); press Enter for the password", "正在等待 \(names) 中的许可；按回车改用密码")
      let answer = try send(ClientRequestConsent(), cancelling: terminal.input)
      try terminal.skipLine(after: answer)
      return try take(answer)
    }
  }

  /// Waits until another program asks to use the vault, and has the user answer.
  ///
  /// - Throws: ``Failure/declined`` if the answer is no; a failure if the vault is locked meanwhile.
  func answerConsent() throws(Failure) {
    answersConsent = true
    try ensureOpen()
    let (connection, invocation, terminal) = (try connected(), invocation, invocation.terminal)
    invocation.report(
      "waiting until a program asks to use the vault; Ctrl-C ends the wait", "正在等待程序请求使用保险库；按 Ctrl-C 结束")
    while true {
      while connection.question == nil {
        _ = try connection.receive()
        try connection.requireUnlocked()
      }
      guard let answer = try connection.askUser(invocation) else {
        terminal.show("\n")
        invocation.report("the question was withdrawn", "该请求已撤回")
        continue
      }
      try connection.answerQuestion(answer)
      // The answer has arrived once a later request is answered.
      _ = try send(VaultStatus())
      guard answer.isAllowed else { throw .exit(.declined, Localized("refused", "已拒绝")) }
      return invocation.report("allowed", "已允许")
    }
  }

  /// - Returns: whether the program is admitted.
  private func take(_ answer: Answered<ClientRequestConsent>) throws(Failure) -> Bool {
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
  private static func name(_ program: ClientProgram) -> String {
    let place = ["\(program.process)"] + [program.terminal].compactMap(\.self)
    return "\(program.name) (\(place.joined(separator: ", ")))"
  }
}

extension Terminal {
  /// Reads and discards the input line whose Enter cancelled a request.
  func skipLine<Success>(after answer: Result<Success, RequestError>) throws(Failure) {
    guard case .failure(let error) = answer, error.isCancellation, try Signals.wait(for: input, timeout: 0)
    else {
      return
    }
    _ = try Descriptor.readLine(input)
  }
}

extension VaultConnection {
  /// Shows the question until the user answers it, or it is withdrawn. The end of input is a no.
  ///
  /// - Returns: nil if it was withdrawn.
  fileprivate func askUser(_ invocation: Invocation) throws(Failure) -> SessionAdmit.Response? {
    let (terminal, isUse) = (invocation.terminal, question?.isUse == true)
    let choices =
      isUse ? invocation.text("[y = once, l = until locked, N = never]", "[y 仅此一次，l 锁定前允许，N 从不]") : "[y/N]"
    let text = (question?.text ?? "").printable + " \(choices) "
    terminal.show(text)
    while question != nil {
      if try receive(or: terminal.input) { continue }
      let line = try Descriptor.readLine(terminal.input) ?? ""
      if isUse, line.trimmed.foldedName == "l" { return SessionAdmit.Response(isAllowed: true, until: .lock) }
      if let allows = Terminal.meaning(of: line, defaultAnswer: false) {
        return SessionAdmit.Response(isAllowed: allows)
      }
      terminal.show(text)
    }
    return nil
  }
}
