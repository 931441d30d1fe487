import Vault
import VaultInterface
import Wire

/// What the methods of the Language Server Protocol use.
struct EditorContext: HandlerContext {
  /// Whether the vault can be read, and if not, what opens it.
  enum Access {
    case open
    case opening([VaultCommand.Name])
    /// There is no vault.
    case none
  }

  let work: WorkContext
  /// Nil for a client that does not speak the protocol.
  let editor: Editor?
  let access: Access
  /// Why the unlocked vault cannot be used; nil if it can.
  private let refusal: AdmissionError?
  private let conversation: ClientConversation
  private let interrupter: Interrupter
  private let requests: RequestQueue

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    work = WorkContext(service, client)
    editor = client.editor
    conversation = client
    interrupter = client.interrupter
    requests = service.requests
    do throws(AdmissionError) {
      try service.requireAdmission(of: client)
      refusal = nil
    } catch {
      refusal = error
    }
    if case .notAdmitted(let ways) = refusal {
      access = .opening((ways.contains(.consent) ? [.requestConsent] : []) + [.unlock])
    } else if !service.session.isLocked {
      access = .open
    } else {
      access = (try? service.session.status().exists) == true ? .opening([.unlock]) : .none
    }
  }

  var session: VaultSession { work.session }
  var language: Language { work.language }

  /// Checks that the vault can be used.
  ///
  /// - Throws: ``VaultError/locked``, ``AdmissionError/notAdmitted(_:)``.
  func requireOpen() throws {
    if let refusal { throw refusal }
    guard case .open = access else { throw VaultError.locked }
  }

  /// What an item or an action that opens the vault is called.
  func title(opening command: VaultCommand.Name) -> String {
    command == .unlock
      ? Localized("Unlock QuickVault…", "解锁随取…")[language]
      : Localized("Ask to use the unlocked vault…", "请求使用已解锁的保险库…")[language]
  }

  /// Returns a marker for a suggestion.
  func marker(_ suggestion: Suggestion, for word: TypedWord) -> String {
    conversation.withEditor { $0.markers.add(suggestion, for: word) } ?? ""
  }

  /// Does the work of `workspace/executeCommand`, which a lock, a revocation or the next command ends. Other messages of the
  /// editor are answered meanwhile.
  ///
  /// - Throws: ``VaultError/locked``, `CancellationError`, and what `body` throws.
  func untilLocked<Value>(_ body: () async throws -> Value) async throws -> Value {
    do {
      return try await interrupter.duringAnswer(body)
    } catch is CancellationError {
      throw await interrupter.reason == .lock ? VaultError.locked : CancellationError()
    }
  }

  /// Waits for the editor in `workspace/executeCommand`, while the requests of other clients take their turns.
  ///
  /// - Throws: what `wait` throws.
  func waiting<Value>(_ wait: () async throws -> Value) async throws -> Value {
    await requests.leave(.reading)
    let result: Result<Value, any Error>
    do {
      result = .success(try await wait())
    } catch {
      result = .failure(error)
    }
    await requests.takeAgain(.reading)
    return try result.get()
  }

  /// Asks the user for consent.
  ///
  /// - Throws: as ``answer(to:)``.
  func ask(_ question: Localized) async throws -> Bool {
    let (consent, refusal) = (Localized("Insert", "插入")[language], Localized("Cancel", "取消")[language])
    let request = ShowMessageRequest(question[language], actions: [refusal, consent])
    return try await answer(to: request).title == consent
  }

  /// The version of the document for an edit at a place, as the document is now.
  ///
  /// - Throws: ``EditError/changed``.
  func version(for place: EditTarget) throws(EditError) -> Int? {
    guard let editor = conversation.editor else { throw .refused }
    return try editor.version(for: place)
  }

  /// Has the editor replace what stands at a place.
  ///
  /// - Throws: ``EditError``, `CancellationError`.
  func replace(_ place: EditTarget, by text: String) async throws {
    let edit = ApplyEdit(at: place, version: try version(for: place), replacingBy: text)
    _ = conversation.withEditor { $0.documents.didInsert(text, into: place.uri, $0.client.triggers) }
    guard try await answer(to: edit).applied else { throw EditError.refused }
  }

  /// The editor's answer.
  ///
  /// - Throws: ``EditError/refused`` if it is an error, or not understood; `CancellationError` if none can come any more.
  private func answer<Request: OutgoingRequest>(to request: Request) async throws -> Request.Response {
    do {
      return try await conversation.notifications.connection.ask(request)
    } catch PeerError.ended {
      throw CancellationError()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw EditError.refused
    }
  }
}

/// What a typed word can stand for.
enum Suggestions {
  /// The most cards that are suggested.
  static let cardLimit = 50
  /// The cards whose fields are suggested too, where there are few.
  private static let cardsWithFields = 3

  /// Finds the cards and fields for what was typed: `gsfp` the cards, and the fields of the first ones if few match;
  /// `gsfp.tax` the fields of those cards whose name contains `tax`.
  static func find(_ word: TypedWord, _ context: WorkContext) async throws -> [Suggestion] {
    let exact = try await cards(word.word, context)
    if !exact.isEmpty {
      let labels = CardLabels(of: exact, in: context.language)
      let fields = exact.count <= cardsWithFields && !word.word.isEmpty
      return try exact.flatMap { card in
        [suggestion(card, nil, labels, context)]
          + (fields ? try self.fields(of: card, "", labels, context) : [])
      }
    }
    guard let part = word.parts.field else { return [] }
    let found = try await cards(word.parts.query, context)
    let labels = CardLabels(of: found, in: context.language)
    return try found.prefix(cardsWithFields).flatMap { try fields(of: $0, part, labels, context) }
  }

  private static func cards(_ query: String, _ context: WorkContext) async throws -> [Card] {
    guard !query.isEmpty else {
      return try await context.read { try $0.cards(CardFilter(), limit: cardLimit, cursor: nil) }.items
    }
    return try await context.read { try $0.search(query, limit: cardLimit, cursor: nil) }.items.map(\.card)
  }

  private static func fields(
    of card: Card, _ part: String, _ labels: CardLabels, _ context: WorkContext
  ) throws -> [Suggestion] {
    let wanted = part.foldedName
    return try context.session.names(of: card.id).fields.filter { field in
      field.spellings.contains { Substring($0).range(ofFirst: wanted) != nil }
    }.map { suggestion(card, $0, labels, context) }
  }

  private static func suggestion(
    _ card: Card, _ field: FieldName?, _ labels: CardLabels, _ context: WorkContext
  ) -> Suggestion {
    let type = CardTemplate.all.first { $0.type == card.type }?.label[context.language] ?? ""
    let title = labels[card]
    return Suggestion(
      card: card.id, field: field?.name,
      label: field.map { "\(title) · \($0.label[context.language].oneLine)" } ?? title, detail: type)
  }
}
