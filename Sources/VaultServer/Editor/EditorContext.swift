import JSONRPC
import LanguageServer
import VaultModel
import VaultProtocol
import VaultSession

/// What the methods of the Language Server Protocol use.
struct EditorContext: HandlerContext {
  /// Whether the vault can be read, and if not, what opens it.
  enum Access {
    case open
    case opening(VaultCommand.Name)
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

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    work = WorkContext(service, client)
    editor = client.editor
    conversation = client
    interrupter = client.interrupter
    do throws(AdmissionError) {
      try service.requireAdmission(of: client)
      refusal = nil
    } catch {
      refusal = error
    }
    if refusal != nil {
      access = .opening(.requestConsent)
    } else if !service.session.isLocked {
      access = .open
    } else {
      access = (try? service.session.status().exists) == true ? .opening(.unlock) : .none
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

  /// Asks the user for consent, in a request of the client: other messages are answered meanwhile, and a lock ends it.
  func askDuringRequest(_ question: Localized) async throws -> Bool {
    try await interrupter.duringWait { try await ask(question) }
  }

  /// Asks the user for consent.
  func ask(_ question: Localized) async throws -> Bool {
    let (consent, refusal) = (Localized("Insert", "插入")[language], Localized("Cancel", "取消")[language])
    let request = ShowMessageRequest(question[language], actions: [consent, refusal])
    return try await conversation.notifications.connection.ask(request).title == consent
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
  /// - Throws: ``EditError``.
  func replace(_ place: EditTarget, by text: String, _ label: String) async throws {
    let edit = ApplyEdit(label, at: place, version: try version(for: place), replacingBy: text)
    let answer = try? await conversation.notifications.connection.ask(edit)
    guard answer?.applied == true else { throw EditError.refused }
  }
}
