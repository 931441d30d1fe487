import Vault
import VaultInterface
import Wire

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
    // An agent, and what its server starts, get no more than what the person allows.
    guard let origin = client.origin, client.grant == nil, origin.agentServer == nil else { return nil }
    let now = configuration.clock.boot
    let sharing = sharedUnlock
    let admission =
      admissions.admission(of: origin.scope(sharing), at: now) ?? ticketAdmission(of: client, at: now)
    switch sharing {
    case .ask: return admission
    case .always: return admission ?? AdmissionList.Admission(means: .setting, time: now)
    case .never: return [.consent, .ticket].contains(admission?.means) ? nil : admission
    }
  }

  /// How much is kept for a client. One that was never admitted gets little, because there may be many; a few editors among them
  /// may open larger documents before the vault is unlocked.
  func limits(of identifier: ClientIdentifier) -> ConnectionLimits {
    guard let client = clients[identifier], !isAdmitted(client) else { return .usual }
    guard client.editor != nil else { return .least }
    let editors = clients.values.filter {
      $0.editor != nil && $0.identifier.number < identifier.number && !isAdmitted($0)
    }
    return editors.count < Self.unadmittedEditors
      ? ConnectionLimits(message: 1 << 20, waiting: 1 << 20, unread: 64 << 10, batch: 64 << 10, yields: true)
      : .least
  }

  /// How many editors that were not admitted may open documents of up to 1 MiB.
  private static let unadmittedEditors = 16

  /// The admission of a client by a ticket: as long as the connection, and no longer than the program that got the ticket.
  private func ticketAdmission(of client: ClientConversation, at now: Int64) -> AdmissionList.Admission? {
    guard let giver = client.ticketGiver, let admission = admissions.admission(of: giver, at: now) else {
      return nil
    }
    return AdmissionList.Admission(means: .ticket, time: admission.time)
  }

  /// Checks that a client may use the unlocked vault. What admitted it counts as its confirmation (R9).
  ///
  /// - Throws: ``AdmissionError/notAdmitted(_:)``.
  func requireAdmission(of client: ClientConversation) throws(AdmissionError) {
    guard !session.isLocked, client.origin != nil else { return }
    guard let admission = admission(of: client) else { throw .notAdmitted(waysToBeAdmitted(client)) }
    client.confirmation.takeOver(admission)
  }

  /// Whom a program that was not admitted counts as: itself, its terminal, and what started it, up to what also started a program that
  /// was admitted, such as the desktop. A program that forks, or is started anew, stays the same.
  func scopes(of origin: ClientOrigin) -> Set<AdmissionScope> {
    let shared = Set(
      clients.values.filter(isAdmitted).compactMap(\.origin).flatMap { [$0.process] + $0.ancestors })
    let starters = origin.ancestors.prefix { $0.process > 1 && !shared.contains($0) }
    return Set(
      ([origin.process] + starters).map(AdmissionScope.process)
        + [origin.terminal.map(AdmissionScope.terminal)].compactMap(\.self))
  }

  /// Notes that a client locks the vault. Programs that were not admitted may do so a few times.
  ///
  /// - Throws: ``AdmissionError/tooManyLocks(retryAfterSeconds:)``.
  func noteLock(by client: ClientConversation) throws(AdmissionError) {
    guard !session.isLocked, let origin = client.origin, !isAdmitted(client) else { return }
    try strangers.noteLock(by: scopes(of: origin), at: configuration.clock.boot)
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

  /// Makes a ticket that admits one connection of another program.
  ///
  /// - Throws: ``VaultError/locked``; ``AdmissionError/notShared``; ``AdmissionError/notAdmitted(_:)`` for a client that itself was
  ///   admitted by one.
  func makeTicket(for identifier: ClientIdentifier) throws -> String {
    let sharing = try session.settings().sharedUnlock
    guard let client = clients[identifier], let origin = client.origin, sharing != .never else {
      throw AdmissionError.notShared
    }
    guard admission(of: client)?.means != .ticket else {
      throw AdmissionError.notAdmitted(waysToBeAdmitted(client))
    }
    return tickets.make(for: origin.scope(sharing), at: configuration.clock.boot)
  }

  /// Uses up the ticket that a client has presented. A wrong one is as none: the client learns nothing from it.
  func use(_ ticket: String, of client: ClientConversation) {
    guard let giver = tickets.use(ticket, at: configuration.clock.boot), !session.isLocked,
      !isAdmitted(client)
    else { return }
    client.ticketGiver = giver
    guard let origin = client.origin, isAdmitted(client) else { return }
    session.record(.clientAdmitted, means: AdmissionMeans.ticket.rawValue, reason: origin.program.name)
  }

  /// Takes the admission from a client, all that share its scope, and those to which they gave tickets, which clear what they show.
  ///
  /// - Parameter client: who asks for it. While the vault is locked, it has to be admitted to the one that was open last.
  /// - Throws: ``AdmissionError/unknownClient``, ``AdmissionError/notAdmitted(_:)``.
  func revoke(_ identifier: ClientIdentifier, for client: ClientIdentifier) throws(AdmissionError) {
    if let asking = clients[client], !isAdmitted(asking) { throw .notAdmitted(waysToBeAdmitted(asking)) }
    guard let origin = clients[identifier]?.origin else { throw .unknownClient }
    let sharing = sharedUnlock
    let scope = origin.scope(sharing)
    let admitted = clients.values.filter(isAdmitted)
    admissions.revoke(scope)
    admissions.refuse(scopes(of: origin).union([scope]))
    tickets.drop(of: scope)
    for client in clients.values where [client.origin?.scope(sharing), client.ticketGiver].contains(scope) {
      client.ticketGiver = nil
    }
    guard !session.isLocked else { return }
    for other in admitted where !isAdmitted(other) {
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
        secondsLeft: [.setting, .ticket].contains(admission?.means)
          ? nil : passed.map { Int((AdmissionList.duration - $0) / 1_000) })
    }
  }
}
