import JSONRPC
import VaultModel
import VaultProtocol
import VaultSession

/// The program's side of a conversation: it finds the method that is asked for, keeps the language and the time of the
/// last activity, and puts what goes wrong in words.
actor Conversation {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  /// The vault in use.
  let session: VaultSession
  /// The language that the client or the environment asked for.
  var clientLanguage: Language
  /// Whether the client has asked for a language, or the environment alone.
  var clientChoseLanguage: Bool
  /// The client's process, whose end is the conversation's.
  var clientProcess: Int?

  let log: (@Sendable (String) -> Void)?
  private let makeTimer: TimerFactory
  private(set) var connection: Connection?
  private var autoLock: AutoLock?

  init(loop: EventLoop, _ configuration: Server.Configuration, resuming handover: Handover) {
    self.loop = loop
    session = VaultSession(path: configuration.vault, clock: configuration.clock)
    clientLanguage = Language(locale: handover.language ?? configuration.locale)
    clientChoseLanguage = handover.language != nil
    clientProcess = handover.clientProcess
    log = configuration.log
    makeTimer = configuration.makeTimer
  }

  /// The language of what a person sees: the settings', unless they leave it to the client.
  var language: Language {
    session.chosenLanguage ?? clientLanguage
  }
}
