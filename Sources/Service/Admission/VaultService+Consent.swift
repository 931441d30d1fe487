import Vault
import VaultInterface
import Wire

/// Asking the users of admitted clients whether another may use the unlocked vault (U): one question at a time.
extension VaultService {
  /// How many programs wait until a question is answered.
  private static let waitingLimit = 8

  /// The clients that can ask their user.
  func clientsToAsk() -> [ClientConversation] {
    guard sharedUnlock != .never else { return [] }
    return clients.values.filter { $0.answersConsent && isAdmitted($0) }
  }

  /// The programs whose users would be asked for a client, in the order in which they came; none if it needs no consent, was
  /// refused, or nobody may be asked now.
  func programsToAsk(for client: ClientConversation) -> [ClientProgram] {
    guard let origin = client.origin, !session.isLocked, !isAdmitted(client),
      admissions.refused.isDisjoint(with: scopes(of: origin)),
      (try? strangers.checkQuestion(at: configuration.clock.boot)) != nil
    else { return [] }
    return clientsToAsk().sorted { $0.identifier.number < $1.identifier.number }.compactMap(\.origin?.program)
  }

  /// Asks the users of the admitted clients whether a client may use the unlocked vault, when no other question is open. The first
  /// answer counts.
  ///
  /// - Throws: ``AdmissionError/nobodyToAsk``, ``AdmissionError/refused``, ``AdmissionError/askedTooOften(retryAfterSeconds:)``,
  ///   `CancellationError`.
  func requestConsent(for identifier: ClientIdentifier) async throws {
    guard let client = clients[identifier], let origin = client.origin else { return }
    guard try mayAsk(client, origin) else { return }
    try await inTurn {
      // The question before may have been about the same program.
      if try mayAsk(client, origin) { try await ask(about: client, origin) }
    }
  }

  /// Asks when no other question is open.
  func inTurn(_ ask: () async throws -> Void) async throws {
    guard await questions.waitingCount < Self.waitingLimit else {
      throw AdmissionError.askedTooOften(retryAfterSeconds: Consent.timeoutSeconds)
    }
    if !(await questions.enter(.exclusive)) { try await questions.wait(for: .exclusive) }
    do {
      try await ask()
    } catch {
      await questions.leave(.exclusive)
      throw error
    }
    await questions.leave(.exclusive)
  }

  /// Returns whether users are to be asked; false for a client that needs no consent.
  ///
  /// - Throws: as ``requestConsent(for:)``.
  private func mayAsk(_ client: ClientConversation, _ origin: ClientOrigin) throws -> Bool {
    guard !session.isLocked else { throw VaultError.locked }
    guard !isAdmitted(client) else { return false }
    guard admissions.refused.isDisjoint(with: scopes(of: origin)) else { throw AdmissionError.refused }
    guard !clientsToAsk().isEmpty else { throw AdmissionError.nobodyToAsk }
    try strangers.checkQuestion(at: configuration.clock.boot)
    return true
  }

  private func ask(about client: ClientConversation, _ origin: ClientOrigin) async throws {
    let answer = await Consent.ask(
      clientsToAsk().map { ($0.notifications.connection, language(of: $0)) }, about: origin.shownProgram,
      on: loop, configuration.makeTimer)
    note(answer)
    // The setting may have been changed meanwhile.
    guard sharedUnlock != .never else { throw AdmissionError.nobodyToAsk }
    switch answer {
    case .once, .untilLock: admit(client, by: .consent)
    case .refused:
      admissions.refuse(scopes(of: origin))
      throw AdmissionError.refused
    case nil:
      try Task.checkCancellation()
      throw AdmissionError.nobodyToAsk
    }
  }

  /// Counts a question towards ``StrangerLimits/freeQuestions``, unless it was allowed.
  func note(_ answer: Consent.Answer?) {
    switch answer {
    case .once, .untilLock: strangers.forgetQuestions()
    case .refused, nil: strangers.noteQuestion(at: configuration.clock.boot)
    }
  }
}
