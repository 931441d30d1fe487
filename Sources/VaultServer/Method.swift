import JSON
import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

/// How one method of the protocol is answered.
///
/// ```swift
/// enum CardGetHandler: Handler {
///   static func answer(_ request: CardGet, _ context: SessionContext) throws -> Outcome<CardResponse> {
///     …
///   }
/// }
/// ```
protocol Handler: Sendable {
  associatedtype Request: RequestType
  associatedtype Context: HandlerContext

  /// Whether a call shows that the user is there, so that the vault stays unlocked (R12).
  static var countsAsActivity: Bool { get }

  /// Whether the request carries a password, which must not stay in the memory of a process with a locked vault (R10).
  static var takesPassword: Bool { get }

  /// The passwords for which a pinentry asks if the request has the `method` `pinentry`.
  static var prompts: [PinentryPrompt] { get }

  /// What a call does to the vault, which decides beside which other requests it is answered.
  static var access: Access { get }

  /// Whether every client may call it while the vault is unlocked, and not only one that was admitted (U).
  static var isOpenToAll: Bool { get }

  /// What a call interrupts in other clients; nil for nothing.
  static var interruption: Interruption? { get }

  /// Whether answering itself reads what other processes wrote, so that it need not be read before.
  static var readsExternalChanges: Bool { get }

  /// Answers a request.
  ///
  /// - Throws: `VaultError` for what the vault refuses, `ParameterError` for parameters that contradict each other.
  static func answer(_ request: Request, _ context: Context) async throws -> Outcome<Request.Response>
}

extension Handler {
  static var countsAsActivity: Bool { true }
  static var takesPassword: Bool { false }
  static var prompts: [PinentryPrompt] { [] }
  static var readsExternalChanges: Bool { false }
  static var access: Access { .writing }
  static var isOpenToAll: Bool { false }
  static var interruption: Interruption? { nil }
}

/// An answer and what follows it.
struct Outcome<Response: JSONConvertible>: Sendable {
  var answer: Response
  var notifications: [any OutgoingNotification] = []
  /// Why the vault is to be locked after the answer; nil if it is not.
  var lockReason: LockReason?
  /// How the client has shown that it may use the vault; nil if it has not.
  var admission: AdmissionMeans?

  init(
    _ answer: Response, sending notifications: [any OutgoingNotification] = [],
    locking reason: LockReason? = nil, admittedBy admission: AdmissionMeans? = nil
  ) {
    self.answer = answer
    self.notifications = notifications
    self.admission = admission
    lockReason = reason
  }

  /// An answer and the notification that something was done (R19).
  init(_ answer: Response, _ event: ActionEvent, _ language: Language) {
    self.init(answer, sending: [ShowMessage(event, language)])
  }
}

/// A handler in the registry, whatever its types.
struct Method: Sendable {
  let request: any RequestType.Type
  let countsAsActivity: Bool
  let takesPassword: Bool
  let prompts: [PinentryPrompt]
  let readsExternalChanges: Bool
  let access: Access
  let isOpenToAll: Bool
  let interruption: Interruption?
  let answer: @Sendable (JSON?, isolated VaultService, ClientConversation) async throws -> Answered

  var name: String { request.method }

  /// An answer as it is sent, and what follows it.
  struct Answered: Sendable {
    var reply: Reply
    var lockReason: LockReason?
    var admission: AdmissionMeans?
  }

  init<Answering: Handler>(_ handler: Answering.Type) {
    request = Answering.Request.self
    countsAsActivity = Answering.countsAsActivity
    takesPassword = Answering.takesPassword
    prompts = Answering.prompts
    readsExternalChanges = Answering.readsExternalChanges
    access = Answering.access
    isOpenToAll = Answering.isOpenToAll
    interruption = Answering.interruption
    answer = { parameters, service, client in
      let request = try Answering.Request.read(parameters)
      let outcome = try await Answering.answer(request, Answering.Context(service, client))
      return Answered(
        reply: Reply(.success(outcome.answer.json), notifications: outcome.notifications),
        lockReason: outcome.lockReason, admission: outcome.admission)
    }
  }
}
