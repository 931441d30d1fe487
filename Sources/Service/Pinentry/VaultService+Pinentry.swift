import Glibc
import Vault
import VaultInterface
import Wire

/// Asking for passwords that a request does not have.
extension VaultService {
  /// Has a pinentry ask for the passwords of a request with the `method` `pinentry`, before it takes its turn: others need not
  /// wait for the user. The handler finds them in their parameters.
  ///
  /// - Throws: ``PinentryError``, `ParameterError` if the request has a password as well, or another `method`.
  func withPasswords(
    _ request: IncomingRequest, for method: Method, _ client: ClientConversation
  ) async throws -> IncomingRequest {
    guard !method.prompts.isEmpty, case .object(var members)? = request.parameters,
      let means = request.parameters?["method"]
    else { return request }
    let known =
      method.name == SessionUnlock.method ? ["password", "biometric", "pinentry"] : ["password", "pinentry"]
    guard means == .null || known.contains(where: { means == .string($0) }) else {
      throw ParameterError("method", .oneOf(known))
    }
    guard means != "biometric" else { return request }
    members.removeAll { $0.name == "method" }
    if means == "pinentry" {
      for prompt in method.prompts {
        guard request.parameters?[prompt.parameter] == nil else {
          throw ParameterError(prompt.parameter, .absenceWith("method"))
        }
        members.append(.init(prompt.parameter, .string(try await password(for: prompt, client))))
      }
    }
    return IncomingRequest(id: request.id, method: request.method, parameters: .object(members))
  }

  private func password(for prompt: PinentryPrompt, _ client: ClientConversation) async throws -> String {
    let pinentryEnvironment = pinentryEnvironment(of: client)
    guard !pinentryEnvironment.isEmpty else { throw PinentryError.noTerminal }
    guard let program = PinentryEnvironment.program(configuration.pinentry) else {
      throw PinentryError.notInstalled
    }
    let prompting = try beginPrompting(client)
    defer { if let prompting { self.prompting.remove(prompting) } }
    var mistake: Localized?
    while true {
      let password = try await ask(prompt.purpose, program, pinentryEnvironment, mistake, client)
      guard prompt.purpose == .new else { return password }
      if try await ask(.repetition, program, pinentryEnvironment, nil, client) == password { return password }
      mistake = Localized("The passwords differ.", "两次输入的密码不一致。")
    }
  }

  /// The most programs that were not admitted and for which a pinentry asks at a time.
  private static let promptingLimit = 16

  /// Lets one pinentry at a time ask for a program, or in a terminal, that was not admitted, however many connections it has.
  ///
  /// - Returns: what is to be removed from ``prompting`` afterwards; nil for a client that was admitted.
  private func beginPrompting(_ client: ClientConversation) throws(AdmissionError) -> AdmissionScope? {
    guard let origin = client.origin, !isAdmitted(client) else { return nil }
    let scope = origin.scope(.ask)
    guard prompting.count < Self.promptingLimit, prompting.insert(scope).inserted else {
      throw .askedTooOften(retryAfterSeconds: Consent.timeoutSeconds)
    }
    return scope
  }

  /// The display and the terminal of a client. An editor reads its terminal itself: parts of the password would go into its
  /// document.
  private func pinentryEnvironment(of client: ClientConversation) -> PinentryEnvironment {
    var variables =
      client.environment
      ?? Greeting(
        vault: configuration.vault, locale: configuration.locale,
        environment: { ProcessEnvironment[$0] }
      )
      .environment
    for name in Greeting.proxies { variables[name] = nil }
    if client.editor != nil { variables["tty"] = nil }
    // A program may name any terminal, also one where another program reads.
    if let origin = client.origin, let terminal = variables["tty"], !origin.hasTerminal(terminal) {
      variables["tty"] = nil
    }
    return PinentryEnvironment(variables: variables, locale: client.locale ?? configuration.locale)
  }

  /// Asks once. `$/cancelRequest`, a lock, another password of the client, and an unlock by another client end it.
  private func ask(
    _ purpose: PinentryPrompt.Purpose, _ program: String, _ pinentryEnvironment: PinentryEnvironment,
    _ mistake: Localized?, _ client: ClientConversation
  ) async throws -> String {
    let name = configuration.vault.split(separator: "/").last.map(String.init) ?? configuration.vault
    let commands = PinentryConversation.commands(
      pinentryEnvironment, description: purpose.description(of: name, for: client.origin?.shownProgram),
      error: mistake,
      in: language(of: client))
    openPrompts += 1
    defer { openPrompts -= 1 }
    do {
      return try await client.interrupter.duringPrompt {
        try await answer(of: PinentryConversation(), program, commands, pinentryEnvironment)
      }
    } catch is CancellationError {
      throw PinentryError.cancelled
    }
  }

  private func answer(
    of conversation: PinentryConversation, _ program: String, _ commands: [String],
    _ pinentryEnvironment: PinentryEnvironment
  ) async throws -> String {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        conversation.begin(
          program, commands, in: pinentryEnvironment, workers,
          { try configuration.makeTimer(loop, $0) }, continuation)
        if Task.isCancelled { conversation.fail(PinentryError.cancelled) }
      }
    } onCancel: {
      Task { await self.onLoop { conversation.fail(PinentryError.cancelled) } }
    }
  }

  /// Has a pinentry ask whether an agent may use cards, and if so, whether until the vault is locked. A terminal is not asked: the
  /// agent may be there, too.
  ///
  /// - Parameter display: the variables of a client that name its display.
  /// - Returns: nil if the person did not answer.
  /// - Throws: ``AdmissionError/nobodyToAsk`` if there is no display or no program to ask.
  func confirm(_ question: Localized, on display: [String: String], of client: ClientConversation)
    async throws -> Consent.Answer?
  {
    let place = PinentryEnvironment(
      variables: display.filter { Greeting.displays.contains($0.key) },
      locale: client.locale ?? configuration.locale)
    guard !place.isEmpty, let program = PinentryEnvironment.program(configuration.pinentry) else {
      throw AdmissionError.nobodyToAsk
    }
    let isAllowed = try await confirm(
      question, Localized("_Allow", "允许(_A)"), Localized("_Never", "从不(_N)"), program, place, client)
    guard isAllowed == true else { return isAllowed.map { _ in .refused } }
    let lasts = try await confirm(
      Localized("Allow the same again without a question until the vault is locked?", "锁定前再次执行相同操作时是否不再询问？"),
      Localized("Until _locked", "锁定前允许(_L)"), Localized("Only _once", "仅此一次(_O)"), program, place, client)
    return lasts == true ? .untilLock : .once
  }

  private func confirm(
    _ question: Localized, _ yes: Localized, _ no: Localized, _ program: String, _ place: PinentryEnvironment,
    _ client: ClientConversation
  ) async throws -> Bool? {
    let language = language(of: client)
    let commands =
      PinentryConversation.commands(place, description: question, error: nil, in: language) + [
        "SETOK \(PinentryConversation.encoded(yes[language]))",
        "SETCANCEL \(PinentryConversation.encoded(no[language]))",
      ]
    do {
      _ = try await answer(of: PinentryConversation("CONFIRM"), program, commands, place)
      return true
    } catch PinentryError.cancelled {
      try Task.checkCancellation()
      return false
    } catch PinentryError.timedOut {
      return nil
    } catch is PinentryError {
      throw AdmissionError.nobodyToAsk
    }
  }
}
