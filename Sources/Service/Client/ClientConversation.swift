import VaultInterface
import Wire

/// One client of a vault: what it has said about itself, what is sent to it, and what interrupts its request.
///
/// It belongs to the ``VaultService`` and holds nothing of the vault.
final class ClientConversation {
  let identifier: ClientIdentifier
  /// The program at the other end of the socket; nil on standard input and output.
  let origin: ClientOrigin?
  let notifications: ClientNotifications
  let interrupter: Interrupter
  let offer = BindingOffer()
  let confirmation: Confirmation
  /// Whether the client has said that it is in the background.
  var isInBackground: Bool
  /// Whether the client can ask its user to admit another program.
  var answersConsent: Bool
  /// Who was admitted and got the ticket with which this client came; nil if it has none. It is not kept over a lock.
  var ticketGiver: AdmissionScope?
  /// What a program that the server of an agent has started may take of the vault; nil for any other client.
  var grant: AgentGrant?
  /// What the next program that this server of an agent starts may take.
  var nextGrant: AgentGrant?
  /// The documents of a client that speaks the Language Server Protocol; nil for any other.
  private(set) var editor: Editor?
  /// The locale that the client asked for; nil if it has not.
  private(set) var locale: String?
  /// Where its user can be asked for a password; nil if that is where the process itself was started.
  let environment: [String: String]?
  /// The language that the client asked for, or else that of the environment.
  private(set) var language: Language
  /// The client's process, with which the conversation ends.
  private var process: Int?
  private var watch: ClientProcessMonitor?
  private let connection: Connection
  private let loop: EventLoop

  /// A conversation on a connection.
  ///
  /// - Parameter configuration: has the locale of the environment and the clocks.
  init(
    _ identifier: ClientIdentifier, on connection: Connection, _ loop: EventLoop,
    _ configuration: Server.Configuration, resuming state: HandoffState.Client
  ) {
    self.identifier = identifier
    origin = state.origin
    environment = state.environment
    answersConsent = state.answersConsent
    confirmation = Confirmation(clock: configuration.clock)
    self.connection = connection
    self.loop = loop
    notifications = ClientNotifications(connection: connection)
    interrupter = Interrupter(connection)
    isInBackground = state.isInBackground
    self.locale = state.locale
    language = Language(locale: state.locale ?? configuration.locale)
    if let process = state.process { watchProcess(process, wasSeen: true) }
    if let editor = state.editor { setEditor(editor) }
  }

  /// Speaks the Language Server Protocol with the client from now on.
  func setEditor(_ editor: Editor) {
    self.editor = editor
    connection.assumeIsolated { $0.translate(LanguageServerNotification.translate) }
  }

  func setLocale(_ locale: String) {
    self.locale = locale
    language = Language(locale: locale)
  }

  /// Ends the conversation when the client's process ends.
  ///
  /// - Parameter wasSeen: whether it was watched before: then the conversation ends now if there is no such process.
  func watchProcess(_ process: Int, wasSeen: Bool = false) {
    watch = ClientProcessMonitor(process, wasSeen: wasSeen, on: loop, of: connection)
    if wasSeen || watch != nil { self.process = process }
  }

  /// Changes what is known of the editor's documents; nil if the client is no such editor.
  func withEditor<Value>(_ body: (inout Editor) -> Value) -> Value? {
    guard var changed = editor else { return nil }
    editor = nil
    defer { editor = changed }
    return body(&changed)
  }

  /// The variables of its environment that name proxies; nil without ``environment``.
  var proxies: [String: String]? {
    environment?.filter { Greeting.proxies.contains($0.key) }
  }

  /// What a new process needs of the client.
  func handoffState(stage: Stage, streamState: StreamState) -> HandoffState.Client {
    HandoffState.Client(
      stage: stage, locale: locale, process: process, isInBackground: isInBackground,
      answersConsent: answersConsent, editor: editor, origin: origin, environment: environment,
      streamState: streamState)
  }
}

/// Sends notifications to one client, ahead of the answer to its request.
struct ClientNotifications: Sendable {
  let connection: Connection

  func send(_ notification: any OutgoingNotification) {
    connection.assumeIsolated { $0.send(notification) }
  }

  /// Hands the connection to the next process once the message being answered is done.
  ///
  /// - Parameters:
  ///   - notifications: the last ones that the client gets, after that answer.
  ///   - dropsInput: whether a client that has sent much, or a batch, is dropped.
  func handOff(_ handOff: HandOff, sending notifications: [any OutgoingNotification], dropsInput: Bool) {
    connection.assumeIsolated { $0.handOff(handOff, sending: notifications, dropsInput: dropsInput) }
  }
}

/// Identifies a client of a service.
struct ClientIdentifier: Sendable, Hashable {
  var number: Int
}

/// Passes the messages of one connection to the service.
struct ClientHandler: MessageHandler {
  let service: VaultService
  let client: ClientIdentifier

  var limits: ConnectionLimits { service.assumeIsolated { $0.limits(of: client) } }

  func answer(_ request: IncomingRequest) async -> Reply { await service.answer(request, of: client) }

  func handle(_ notification: IncomingNotification) async -> FollowUp {
    await service.handle(notification, of: client)
  }

  func errorForDiscardedAnswer() async -> ResponseError { await service.errorForDiscardedAnswer(of: client) }

  func error(for error: ProtocolError) async -> ResponseError { await service.error(for: error, of: client) }

  func willEnd() async -> [any OutgoingNotification] { await service.willEnd(client) }
}
