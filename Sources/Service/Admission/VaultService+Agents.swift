import Vault
import VaultInterface
import Wire

/// What agents may do, which use cards through a server that speaks for them: as much as a person allows.
extension VaultService {
  /// The methods for the server of an agent.
  private static let agentMethods = AgentGrant.openMethods.union([
    AgentFind.method, AgentUse.method, AgentSave.method, SessionLock.method,
  ])

  /// Checks that a client may call a method.
  ///
  /// - Parameter request: gets the id of the card in place of its name, if the client may take certain values only.
  /// - Throws: ``AdmissionError/notAdmitted(_:)``; ``VaultError/cardNotFound(_:)`` for another card or field.
  func requireRight(
    of client: ClientConversation, to method: Method, _ request: inout IncomingRequest
  ) throws {
    if client.origin?.agentServer != nil {
      guard Self.agentMethods.contains(method.name) else { throw AdmissionError.notAdmitted([]) }
    } else if let grant = client.grant {
      guard let granted = grant.granted(request) else { throw VaultError.cardNotFound(nil) }
      request = granted
    } else if !method.isOpenToAll {
      try requireAdmission(of: client)
    }
  }

  /// Gives a new client what the server of an agent that started it was granted for the next one; nothing, if that is no server.
  func takeGrant(_ client: ClientConversation) {
    guard let parent = client.origin?.ancestors.first,
      let server = clients.values.first(where: { $0.origin?.agentServer == parent })
    else { return }
    let (granted, now) = (server.nextGrant ?? AgentGrant(), configuration.clock.boot)
    server.nextGrant = nil
    client.grant = (0..<AgentGrant.duration).contains(now - granted.time) ? granted : AgentGrant()
  }

  /// Grants values to the next program of an agent's server, and logs that. Others need no grant.
  func grant(_ values: [AgentGrant.Value], for use: AgentUse.Kind, to identifier: ClientIdentifier) {
    guard let client = clients[identifier] else { return }
    client.nextGrant = AgentGrant(values: values, time: configuration.clock.boot)
    recordUse(use.rawValue, by: client)
  }

  func recordSave(by identifier: ClientIdentifier) {
    if let client = clients[identifier] { recordUse("save", by: client) }
  }

  private func recordUse(_ use: String, by client: ClientConversation) {
    session.record(.agentUsed, means: use, reason: client.origin?.program.name)
  }

  /// Asks a person about uses of an agent that were not allowed before. Clients that are no servers of agents need no consent.
  ///
  /// - Throws: as ``requestConsent(for:)``.
  func requireConsent(
    of identifier: ClientIdentifier, to uses: @escaping @Sendable (ProcessIdentity) -> [AgentPermissions.Use],
    _ question: AgentQuestion
  ) async throws {
    guard let client = clients[identifier], let agent = client.origin, agent.agentServer != nil else {
      return
    }
    let uses = uses(agent.process)
    guard try isToBeAsked(agent, uses) else { return }
    let waiting = Localized("A person is asked in QuickVault.", "正在随取中询问用户。")
    client.notifications.send(
      ShowMessage(.information, kind: "agent.waiting", message: waiting, language: language(of: client)))
    try await inTurn {
      // The question before may have been the same.
      guard try isToBeAsked(agent, uses) else { return }
      let answer = try await ask(question.text(for: agent.shownProgram.described), of: agent, client)
      note(answer)
      try Task.checkCancellation()
      guard let answer, sharedUnlock != .never else { throw AdmissionError.nobodyToAsk }
      agents.note(answer, to: uses)
      if answer == .refused { throw AdmissionError.refused }
    }
  }

  private func isToBeAsked(_ agent: ClientOrigin, _ uses: [AgentPermissions.Use]) throws -> Bool {
    guard !session.isLocked else { throw VaultError.locked }
    // It may have been revoked, or have asked to be admitted before.
    guard admissions.refused.isDisjoint(with: scopes(of: agent)) else { throw AdmissionError.refused }
    guard try !agents.open(uses).isEmpty else { return false }
    try strangers.checkQuestion(at: configuration.clock.boot)
    return true
  }

  /// Asks in the admitted clients, but for those that the agent has started, or else on the display where the vault was unlocked.
  private func ask(_ question: Localized, of agent: ClientOrigin, _ client: ClientConversation) async throws
    -> Consent.Answer?
  {
    let asked = clientsToAsk().filter { asked in
      asked.origin.map { $0.process != agent.process && !$0.ancestors.contains(agent.process) } ?? true
    }
    guard asked.isEmpty else {
      return await Consent.ask(
        asked.map { ($0.notifications.connection, language(of: $0)) }, about: agent.shownProgram,
        use: question,
        on: loop, configuration.makeTimer)
    }
    guard sharedUnlock != .never, let display else { throw AdmissionError.nobodyToAsk }
    return try await confirm(question, on: display, of: client)
  }
}

/// What a person is asked about an agent.
enum AgentQuestion: Sendable {
  case find
  case use(AgentUse, [AgentGrant.Value])
  case save(title: String)

  func text(for agent: Localized) -> Localized {
    let (english, chinese) = (agent.english, agent.simplifiedChinese)
    switch self {
    case .find:
      return Localized(
        "Allow \(english) to see the titles and field names of your cards, but no values?",
        "是否允许\(chinese)查看卡片的标题和字段名（不含内容）？")
    case .save(let title):
      return Localized(
        "Allow \(english) to save a new card “\(title.asShown(limit: 200))”?",
        "是否允许\(chinese)保存新卡片“\(title.asShown(limit: 200))”？")
    case .use(let use, let values):
      let (what, target) = (Self.names(of: values), use.target.asShown(limit: AgentUse.targetLimit))
      switch use.kind {
      case .fill:
        return Localized(
          "Allow \(english) to write \(what.english) into \(target)? It may be able to read the file.",
          "是否允许\(chinese)把\(what.simplifiedChinese)写入 \(target)？它可能可以读取该文件。")
      case .run:
        return Localized(
          "Allow \(english) to run a command with \(what.english)? The command can pass them on: \(target)",
          "是否允许\(chinese)用\(what.simplifiedChinese)运行命令？该命令可以把它们传出：\(target)")
      case .copy:
        return Localized(
          "Allow \(english) to copy \(what.english) to the clipboard? Other programs can read the clipboard.",
          "是否允许\(chinese)把\(what.simplifiedChinese)复制到剪贴板？其他程序可以读取剪贴板。")
      case .type:
        return Localized(
          "Allow \(english) to type \(what.english) into the focused window?",
          "是否允许\(chinese)把\(what.simplifiedChinese)键入当前窗口？")
      case .reveal:
        return Localized(
          "Allow \(english) to READ \(what.english)? Its provider gets to know what it reads.",
          "是否允许\(chinese)读取\(what.simplifiedChinese)？其服务商将得知所读取的内容。")
      }
    }
  }

  /// The cards and fields, such as `“Tax office” (Name, Tax ID)`.
  private static func names(of values: [AgentGrant.Value]) -> Localized {
    var names: [(card: Card, fields: [Localized])] = []
    for value in values {
      let field = value.field?.label ?? Localized("the whole card", "整张卡片")
      if let index = names.firstIndex(where: { $0.card.id == value.card.id }) {
        if !names[index].fields.contains(field) { names[index].fields.append(field) }
      } else {
        names.append((value.card, [field]))
      }
    }
    let listed = { (language: Language, separator: String) in
      names.map { name in
        let fields = name.fields.map { $0[language].asShown(limit: 100) }.joined(separator: separator)
        return language == .english
          ? "“\(name.card.title.asShown(limit: 200))” (\(fields))"
          : "“\(name.card.title.asShown(limit: 200))”（\(fields)）"
      }.joined(separator: separator)
    }
    return Localized(listed(.english, ", "), listed(.simplifiedChinese, "、"))
  }
}
