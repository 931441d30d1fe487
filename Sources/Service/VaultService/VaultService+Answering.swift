import Vault
import VaultInterface
import Wire

/// Answering the messages of clients: finding the method, and turning what a handler throws into an error.
extension VaultService {
  func answer(_ request: IncomingRequest, of identifier: ClientIdentifier) async -> Reply {
    let client = clients[identifier]
    let asked = request
    let request = asked.asVaultRequest(of: client?.editor, hasFingerprint: hasFingerprint)
    let editorMethod = client?.editor == nil ? nil : Registry.languageServer[request.method]
    guard let client, let method = Registry.methods[request.method] ?? editorMethod else {
      return Reply(.failure(error(for: .methodNotFound(request.method), client)))
    }
    let progress = await beginProgress(of: asked, client)
    var reply = await answerInTurn(request, with: method, client)
    if let progress { client.notifications.send(WorkDoneProgress(progress, .end)) }
    // A prompt of another client goes on; the request that has it asked ends here, too.
    if method.takesPassword, session.isLocked, openPrompts == 0, !(await requests.runs(.unlocking)) {
      // Unlocking failed, or there was nothing to unlock: the new process does not have the password in its memory.
      session.close()
      // No vault was locked, so what waits, perhaps another password, is for the new process.
      handOff(.keepingWaiting, except: client)
      reply.followUp.handOff = reply.followUp.handOff ?? .keepingWaiting
    }
    return reply
  }

  /// Whether a request has a password that will be tried.
  private func isAttempt(_ request: IncomingRequest) -> Bool {
    request.parameters?["password"]?.string != nil && (try? session.status())?.retryAfterSeconds == 0
  }

  /// Whether a fingerprint can unlock the vault on this device.
  var hasFingerprint: Bool {
    let status = try? session.status()
    return status?.isBound == true && status?.allowsFingerprint == true
  }

  /// Answers a request concurrently with those of other clients, as far as their access allows.
  private func answerInTurn(
    _ sent: IncomingRequest, with method: Method, _ client: ClientConversation
  ) async -> Reply {
    var request = sent
    do {
      try requireRight(of: client, to: method, &request)
      if method.interruption == .lock { try noteLock(by: client) }
      request = try await withPasswords(request, for: method, client)
      if let interruption = method.interruption, interruption != .password || isAttempt(request) {
        interruptAll(interruption, except: client)
      }
      if !(await requests.enter(method.access)) { try await requests.wait(for: method.access) }
    } catch is CancellationError {
      return Reply(.failure(error(for: .cancelled, client, method)))
    } catch let error as ParameterError {
      return Reply(.failure(self.error(for: .invalidParameters(error), client, method)))
    } catch {
      return failure(error, of: method, client, wasUnlocked: false)
    }
    let reply: Reply
    do {
      // Another client may have unlocked the vault while this request waited.
      try requireRight(of: client, to: method, &request)
      reply = await answer(request, with: method, client)
    } catch {
      reply = failure(error, of: method, client, wasUnlocked: false)
    }
    // A request that failed may have changed cards before: its client does not know which either.
    if case .failure = reply.result { notifyOfOwnChanges(by: method) }
    await requests.leave(method.access)
    checkpoints.note(session)
    notifySyncStatus()
    return reply
  }

  private func answer(
    _ request: IncomingRequest, with method: Method, _ client: ClientConversation
  ) async -> Reply {
    let wasUnlocked = !session.isLocked
    do {
      if !method.readsExternalChanges, let changes = try session.refresh() {
        notifyAll(CardDidChange(changes))
      }
      let answered = try await answerWaiting(request, with: method, client)
      let lockReason = answered.lockReason
      var reply = answered.reply
      if let changes = session.takeExternalChanges() { notifyAll(CardDidChange(changes)) }
      notifyOfOwnChanges(by: method, except: client)
      if wasUnlocked, !session.isLocked, method.access == .exclusive {
        admissions.didChangeKey(session.keyIdentifier)
      }
      if let admission = answered.admission {
        didAuthenticate(client, by: admission, wasLocked: !wasUnlocked)
      }
      if method.countsAsActivity { noteActivity(of: client) }
      noteForSync(wasUnlocked: wasUnlocked)
      if let lockReason {
        await publishBeforeLock(within: SyncService.lockTimeouts.byPerson)
        mirrorBeforeLock()
        _ = session.lock(lockReason)
      }
      if wasUnlocked, session.isLocked, !isHandingOff {
        let locked = didLock(lockReason ?? .request, for: client)
        reply.followUp.notifications += locked.notifications
        // What the client sent behind its own lock was sent for the vault that is locked.
        reply.followUp.handOff = lockReason == nil ? locked.handOff : .keepingWaiting
      }
      log.note("\(method.name): done")
      return reply
    } catch let error as ParameterError {
      return Reply(.failure(self.error(for: .invalidParameters(error), client, method)))
    } catch is CancellationError {
      return Reply(.failure(self.error(for: .cancelled, client, method)))
    } catch {
      if method.countsAsActivity { noteActivity(of: client) }
      return failure(error, of: method, client, wasUnlocked: wasUnlocked)
    }
  }

  /// Tells the clients what a method changed. One that only reads can run beside the one whose changes these are.
  private func notifyOfOwnChanges(by method: Method, except client: ClientConversation? = nil) {
    guard method.access == .writing || method.access == .exclusive, let changes = session.takeOwnChanges()
    else { return }
    notifyAll(CardDidChange(changes), except: client)
  }

  /// Answers a request, and waits for other processes that write to the vault. A lock ends the wait.
  ///
  /// Methods with a password wait at each write, because they cannot be repeated: an attempt counts.
  private func answerWaiting(
    _ request: IncomingRequest, with method: Method, _ client: ClientConversation
  ) async throws -> Method.Answered {
    guard method.takesPassword else {
      return try await session.waitingForOthers(as: waiting(of: client)) {
        try await method.answer(request.parameters, self, client)
      }
    }
    return try await Waiting.$current.withValue(waiting(of: client)) {
      try await method.answer(request.parameters, self, client)
    }
  }

  private func waiting(of client: ClientConversation) -> Waiting {
    let interrupter = client.interrupter
    let locksInBackground = (try? session.settings().isOn(.lockOnBackground)) ?? false
    return Waiting { wait in try await interrupter.duringWork(locksInBackground: locksInBackground, wait) }
  }

  func handle(_ notification: IncomingNotification, of identifier: ClientIdentifier) -> FollowUp {
    guard let client = clients[identifier] else { return FollowUp() }
    switch notification.method {
    case "client/didBecomeActive": client.isInBackground = false
    case "client/didEnterBackground":
      client.isInBackground = true
      return didEnterBackground(client)
    default: takeDocument(notification, of: client)
    }
    return FollowUp()
  }

  func error(for error: ProtocolError, of client: ClientIdentifier) -> ResponseError {
    self.error(for: error, clients[client])
  }

  /// The error in place of an answer that a client had not read when the vault was locked.
  func errorForDiscardedAnswer(of client: ClientIdentifier) -> ResponseError {
    VaultError.locked.descriptor.response(in: clients[client].map(language) ?? .english)
  }

  private func error(
    for error: ProtocolError, _ client: ClientConversation?, _ method: Method? = nil
  ) -> ResponseError {
    log.record(error, of: method?.name)
    return error.descriptor.response(in: client.map(language) ?? .english)
  }

  /// Ends a client's conversation. The vault is locked and closed with it, unless it is shared: then when the service ends.
  ///
  /// - Returns: what the client is told before.
  func willEnd(_ identifier: ClientIdentifier) async -> [any OutgoingNotification] {
    guard let client = clients[identifier], !isShared || isStopping else { return [] }
    await finishBeforeEnd()
    let locked = lock(.shutdown, for: client)
    session.close()
    await awaitCancelledWork()
    return locked.notifications
  }

  /// The answer to a request that failed, with the notification that follows it. If the vault was changed by another program,
  /// it is locked as well; if it could not be opened again, it was.
  private func failure(
    _ error: any Error, of method: Method, _ client: ClientConversation, wasUnlocked: Bool
  ) -> Reply {
    let descriptor = ErrorDescriptor(error)
    log.record(error, of: method.name)
    let language = language(of: client)
    let isShown = client.editor?.client.showsErrors == true && method.countsAsActivity
    let messages: [any OutgoingNotification] =
      isShown || descriptor.isSilent ? [] : [ShowMessage(descriptor, language)]
    let failure = descriptor.response(in: language)
    let locked: FollowUp
    if session.isLocked, wasUnlocked, !isHandingOff {
      locked = didLock(.passwordChanged, for: client)
    } else if case .changed = VaultError(error), !session.isLocked {
      locked = lock(.passwordChanged, for: client)
    } else {
      return Reply(.failure(failure), followUp: FollowUp(messages))
    }
    return Reply(
      .failure(failure), followUp: FollowUp(messages + locked.notifications, handOff: locked.handOff))
  }
}

extension CardDidChange {
  init(_ changes: ExternalChanges) {
    switch changes {
    case .all: self.init(CardDidChange.Extent.all)
    case .cards(let changed, let deleted):
      self.init(Extent.cards(changed: changed.sorted(), deleted: deleted.sorted()))
    }
  }
}
