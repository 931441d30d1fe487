import VaultModel
import VaultProtocol
import VaultSession

/// Which clients may use the unlocked vault (U). The one on standard input and output always may: it alone has this process.
extension VaultService {
  /// The setting, as far as it is known: of a locked vault it is not, and does not matter.
  var sharedUnlock: Settings.SharedUnlock {
    (try? session.settings().sharedUnlock) ?? .ask
  }

  func isAdmitted(_ client: ClientConversation) -> Bool {
    guard client.origin != nil else { return true }
    return admission(of: client) != nil
  }

  /// How a client was admitted; nil if it was not.
  func admission(of client: ClientConversation) -> AdmissionList.Admission? {
    guard let origin = client.origin else { return nil }
    let now = configuration.clock.boot
    let sharing = sharedUnlock
    let admission = admissions.admission(of: origin.scope(sharing), at: now)
    switch sharing {
    case .ask: return admission
    case .always: return admission ?? AdmissionList.Admission(means: .setting, time: now)
    case .never: return admission?.means == .consent ? nil : admission
    }
  }

  /// Checks that a client may use the unlocked vault. What admitted it counts as its confirmation (R9).
  ///
  /// - Throws: ``AdmissionError/notAdmitted(_:)``.
  func requireAdmission(of client: ClientConversation) throws(AdmissionError) {
    guard !session.isLocked, client.origin != nil else { return }
    guard let admission = admission(of: client) else { throw .notAdmitted(waysToBeAdmitted(client)) }
    client.confirmation.takeOver(admission)
  }

  private func waysToBeAdmitted(_ client: ClientConversation) -> [AdmissionError.Way] {
    [.password] + (hasFingerprint ? [.fingerprint] : []) + (clientsToAsk().isEmpty ? [] : [.consent])
  }

  /// Admits a client, and all that share its scope, and logs it.
  func admit(_ client: ClientConversation, by means: AdmissionMeans) {
    guard let origin = client.origin else { return }
    admissions.admit(origin.scope(sharedUnlock), by: means, at: configuration.clock.boot)
    session.record(.clientAdmitted, means: means.rawValue, reason: origin.program.name)
  }

  /// The clients that can ask their user.
  private func clientsToAsk() -> [ClientConversation] {
    guard sharedUnlock != .never else { return [] }
    return clients.values.filter { $0.answersConsent && isAdmitted($0) }
  }

  /// The programs whose users would be asked for a client, in the order in which they came; none if it needs no consent, or was
  /// refused.
  func programsToAsk(for client: ClientConversation) -> [ClientProgram] {
    guard let origin = client.origin, !session.isLocked, !isAdmitted(client),
      !admissions.refused.contains(origin.scope(sharedUnlock))
    else { return [] }
    return clientsToAsk().sorted { $0.identifier.number < $1.identifier.number }.compactMap(\.origin?.program)
  }

  /// Asks the users of the admitted clients whether a client may use the unlocked vault. The first answer counts.
  ///
  /// - Throws: ``AdmissionError/nobodyToAsk``, ``AdmissionError/refused``, `CancellationError`.
  func requestConsent(for identifier: ClientIdentifier) async throws {
    guard let client = clients[identifier], let origin = client.origin, !isAdmitted(client) else { return }
    let scope = origin.scope(sharedUnlock)
    guard !admissions.refused.contains(scope) else { throw AdmissionError.refused }
    let asked = clientsToAsk()
    guard !asked.isEmpty else { throw AdmissionError.nobodyToAsk }
    let answer = await Consent.ask(
      asked.map { ($0.notifications.connection, language(of: $0)) }, about: origin.program,
      on: loop, configuration.makeTimer)
    // The setting may have been changed meanwhile.
    guard sharedUnlock != .never else { throw AdmissionError.nobodyToAsk }
    switch answer {
    case true: admit(client, by: .consent)
    case false:
      admissions.refuse(scope)
      throw AdmissionError.refused
    case nil:
      try Task.checkCancellation()
      throw AdmissionError.nobodyToAsk
    }
  }

  /// Takes the admission from a client and all that share its scope, which clear what they show.
  ///
  /// - Throws: ``AdmissionError/unknownClient``.
  func revoke(_ identifier: ClientIdentifier) throws(AdmissionError) {
    guard let origin = clients[identifier]?.origin else { throw .unknownClient }
    let scope = origin.scope(sharedUnlock)
    admissions.revoke(scope)
    admissions.refuse(scope)
    guard !session.isLocked else { return }
    for other in clients.values where other.origin?.scope(sharedUnlock) == scope && !isAdmitted(other) {
      other.interrupter.interrupt(.lock)
      other.notifications.send(SessionDidLock(reason: .revoked))
    }
  }

  /// The client that makes room for another if there are too many: of those that no user has admitted, the oldest one of the
  /// program that has the most connections; nil if all were admitted.
  func clientToDrop() -> ClientIdentifier? {
    let sharing = sharedUnlock
    let unadmitted = clients.values.filter { [nil, .setting].contains(admission(of: $0)?.means) }
      .sorted { $0.identifier.number < $1.identifier.number }
    let counts = Dictionary(grouping: unadmitted) { $0.origin?.scope(sharing) }.mapValues(\.count)
    let most = counts.values.max()
    return unadmitted.first { counts[$0.origin?.scope(sharing)] == most }?.identifier
  }

  /// The connected clients, in the order in which they came.
  func list(for own: ClientIdentifier) -> [ClientList.Client] {
    clients.sorted { $0.key.number < $1.key.number }.compactMap { identifier, client in
      guard let origin = client.origin else { return nil }
      let admission = admission(of: client)
      let passed = admission.map { configuration.clock.boot - $0.time }
      return ClientList.Client(
        id: identifier.number, program: origin.program, isOwn: identifier == own,
        isAdmitted: admission != nil,
        means: admission?.means.rawValue,
        secondsLeft: admission?.means == .setting
          ? nil : passed.map { Int((AdmissionList.duration - $0) / 1_000) })
    }
  }
}
