import Vault
import VaultInterface
import Wire

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

/// How one method of the protocol is answered.
///
/// ```swift
/// Method(.reading) { (request: CardGet, context: SessionContext) throws -> Outcome<CardResponse> in
///   …
/// }
/// ```
struct Method: Sendable {
  let request: any RequestType.Type
  /// What a call does to the vault, which decides beside which other requests it is answered.
  let access: Access
  /// Whether a call shows that the user is there, so that the vault stays unlocked (R12).
  let countsAsActivity: Bool
  /// Whether the request carries a password, which must not stay in the memory of a process with a locked vault (R10).
  let takesPassword: Bool
  /// The passwords for which a pinentry asks if the request has the `method` `pinentry`.
  let prompts: [PinentryPrompt]
  /// Whether answering itself reads what other processes wrote, so that it need not be read before.
  let readsExternalChanges: Bool
  /// Whether every client may call it while the vault is unlocked, and not only one that was admitted (U).
  let isOpenToAll: Bool
  /// What a call interrupts in other clients; nil for nothing.
  let interruption: Interruption?
  let answer: @Sendable (JSON?, isolated VaultService, ClientConversation) async throws -> Answered

  var name: String { request.method }

  /// An answer as it is sent, and what follows it.
  struct Answered: Sendable {
    var reply: Reply
    var lockReason: LockReason?
    var admission: AdmissionMeans?
  }

  /// - Parameter answer: answers a request. It throws `VaultError` for what the vault refuses, and `ParameterError` for
  ///   parameters that contradict each other.
  init<Request: RequestType, Context: HandlerContext>(
    _ access: Access = .writing, countsAsActivity: Bool = true, takesPassword: Bool = false,
    prompts: [PinentryPrompt] = [], readsExternalChanges: Bool = false, isOpenToAll: Bool = false,
    interruption: Interruption? = nil,
    answer: @escaping @Sendable (Request, Context) async throws -> Outcome<Request.Response>
  ) {
    request = Request.self
    (self.access, self.countsAsActivity) = (access, countsAsActivity)
    (self.takesPassword, self.prompts) = (takesPassword || !prompts.isEmpty, prompts)
    (self.readsExternalChanges, self.isOpenToAll) = (readsExternalChanges, isOpenToAll)
    self.interruption = interruption
    self.answer = { parameters, service, client in
      let request = try Request.read(parameters)
      let outcome = try await answer(request, Context(service, client))
      return Answered(
        reply: Reply(.success(outcome.answer.json), followUp: FollowUp(outcome.notifications)),
        lockReason: outcome.lockReason, admission: outcome.admission)
    }
  }
}

/// The methods of an area, one after another.
@resultBuilder enum MethodList {
  static func buildBlock(_ methods: Method...) -> [Method] { methods }
}
