import Vault
import VaultInterface
import Wire

/// What a handler may use, taken from the service and the client whose request it answers.
///
/// A handler names the smallest context that it needs as the second parameter of its `answer`.
protocol HandlerContext: SendableMetatype {
  init(_ service: isolated VaultService, _ client: ClientConversation)
}

/// Nothing: the answer is always the same.
struct NoContext: HandlerContext {
  init(_ service: isolated VaultService, _ client: ClientConversation) {}
}

/// The client's conversation, to set it up.
struct ClientContext: HandlerContext {
  let client: ClientConversation
  /// The language of the settings; nil if they leave it to the client.
  let chosenLanguage: Language?

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    self.client = client
    chosenLanguage = service.session.chosenLanguage
  }
}

/// All clients of the service.
struct ClientsContext: HandlerContext {
  let service: VaultService
  /// The client that asks.
  let client: ClientIdentifier

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    (self.service, self.client) = (service, client.identifier)
  }
}

/// A client that asks other clients for consent, in a wait that a lock and a password interrupt.
struct ConsentContext: HandlerContext {
  let unlock: UnlockContext
  private let clients: ClientsContext
  private let interrupter: Interrupter
  private let requests: RequestQueue

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    unlock = UnlockContext(service, client)
    clients = ClientsContext(service, client)
    interrupter = client.interrupter
    requests = service.requests
  }

  /// Waits for the users, while the requests of other clients take their turns.
  ///
  /// - Throws: ``AdmissionError``; ``VaultError/locked``; `CancellationError`.
  func requestConsent() async throws {
    try await waiting { service, client in try await service.requestConsent(for: client) }
  }

  /// Waits for what users answer, as ``requestConsent()``.
  func waiting<Value: Sendable>(
    _ ask: (VaultService, ClientIdentifier) async throws -> Value
  ) async throws -> Value {
    await requests.leave(.reading)
    let result: Result<Value, any Error>
    do {
      result = .success(try await interrupter.duringPrompt { try await ask(clients.service, clients.client) })
    } catch is CancellationError {
      result = .failure(await interrupter.reason == .lock ? VaultError.locked : CancellationError())
    } catch {
      result = .failure(error)
    }
    await requests.takeAgain(.reading)
    return try result.get()
  }
}

/// The vault's session, and the language of messages to the client.
struct SessionContext: HandlerContext {
  let session: VaultSession
  let language: Language

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    session = service.session
    language = service.language(of: client)
  }
}

/// The session for work that takes long: it reports progress, and a lock interrupts it.
struct WorkContext: HandlerContext {
  let session: VaultSession
  let language: Language
  let progress: ProgressReporter
  let confirmation: Confirmation
  private let interrupter: Interrupter

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    session = service.session
    language = service.language(of: client)
    progress = ProgressReporter(notifications: client.notifications, language: language)
    confirmation = client.confirmation
    interrupter = client.interrupter
  }

  /// Runs long work, which is cancelled when the vault is to be locked.
  ///
  /// - Throws: ``VaultError/locked``, `CancellationError`, and what `body` throws.
  func interruptibly<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await interrupter.duringWork(on: session, body)
  }

  /// Reads lists of the vault. What takes long is interrupted by a lock, as ``interruptibly(_:)`` is.
  ///
  /// - Throws: as ``interruptibly(_:)``.
  func read<Value: Sendable>(
    _ read: @escaping @Sendable (CardLists) throws -> Value
  ) async throws -> Value {
    try await session.read(in: interruptibly, read)
  }

  /// Returns tags as the vault's cards write them (R15), unless all are on the card already.
  func spelled(_ tags: [String], for card: Card? = nil) async throws -> [String] {
    guard tags.count <= Limits.tags, !Set(tags).isSubset(of: card?.tags ?? []) else { return tags }
    return try await session.spelled(tags, in: interruptibly)
  }
}

/// Long work with attachments: pictures, and the user's consent to give an original.
struct PictureContext: HandlerContext {
  let work: WorkContext
  let pictures: Pictures
  let biometrics: ClientBiometrics

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    work = WorkContext(service, client)
    pictures = Pictures(session: work.session, imaging: service.imaging, interrupter: client.interrupter)
    biometrics = ClientBiometrics(unlock: service.biometrics, client: client)
  }

  var session: VaultSession { work.session }
  var language: Language { work.language }
  var progress: ProgressReporter { work.progress }
}

/// The session, and fingerprint reader and keychain of this device.
struct BiometricContext: HandlerContext {
  let vault: CurrentVault
  let language: Language
  let biometrics: ClientBiometrics
  let offer: BindingOffer
  /// Whether the client is admitted; nil for the one on standard input and output.
  let isAdmitted: Bool?
  /// The programs whose users can admit the client; none if it needs no consent.
  let consentFrom: [ClientProgram]
  /// The uses that settings allow, for the server of an agent; else nil.
  let agentUses: [AgentUse.Kind]?

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    vault = service.vault
    language = service.language(of: client)
    biometrics = ClientBiometrics(unlock: service.biometrics, client: client)
    offer = client.offer
    isAdmitted = client.origin == nil ? nil : service.isAdmitted(client)
    consentFrom = service.programsToAsk(for: client)
    agentUses =
      client.origin?.agentServer == nil
      ? nil
      : (try? service.session.settings()).map { settings in
        AgentUse.Kind.allCases.filter { $0.setting.map { settings.text($0) == "ask" } ?? true }
      }
  }

  var session: VaultSession { vault.session }
  var desktop: DesktopLink { biometrics.desktop }
  var confirmation: Confirmation { biometrics.client.confirmation }
}

/// The session, and the watch over the desktop session.
struct DesktopContext: HandlerContext {
  let vault: CurrentVault
  let desktop: DesktopLink
  let confirmation: Confirmation

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    vault = service.vault
    desktop = service.desktop
    confirmation = client.confirmation
  }

  var session: VaultSession { vault.session }
}

/// What opens a vault or makes one.
struct UnlockContext: HandlerContext {
  /// Whether the sample attachment of a demo vault can get a watermark.
  let canWatermark: Bool
  /// Whether other programs may use the vault.
  let isShared: Bool
  private let device: BiometricContext
  private let memoryIsLocked: Bool
  private let isHandingOff: Bool

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    device = BiometricContext(service, client)
    canWatermark = service.imaging.isInstalled
    isShared = service.isShared
    memoryIsLocked = service.configuration.memoryIsLocked
    isHandingOff = service.isHandingOff
  }

  var vault: CurrentVault { device.vault }
  var session: VaultSession { device.session }
  var desktop: DesktopLink { device.desktop }
  var biometrics: ClientBiometrics { device.biometrics }
  var offer: BindingOffer { device.offer }

  /// Throws ``VaultError/locked`` after a lock in the same batch: this process is about to be replaced.
  func refuseWhileHandingOff() throws(VaultError) {
    guard !isHandingOff else { throw .locked }
  }

  /// Handles an unlock with a fingerprint.
  func didUnlockWithFingerprint() {
    device.confirmation.recordAuthentication()
    desktop.watch(for: vault)
  }

  /// Handles an unlock with a password: resets the count of failed fingerprints, and makes a binding offer due.
  func didUnlockWithPassword() async {
    device.confirmation.recordAuthentication()
    biometrics.unlock.resetFailures()
    offer.didUnlockWithPassword()
    await offer.offerIfDue(for: vault, desktop)
    desktop.watch(for: vault)
  }

  /// The answer to a client that has unlocked the vault.
  func answer() throws -> UnlockResponse {
    // A vault that cannot be written keeps them.
    try? session.purgeExpired()
    let summary = try session.summary()
    if !memoryIsLocked { session.recordOnce(.memoryNotLocked) }
    return UnlockResponse(
      cardCount: summary.cardCount, autoLockSeconds: summary.settings.seconds(.autoLockSeconds),
      offersBiometric: offer.isOffered && summary.settings.isOn(.biometricUnlock),
      integrity: summary.integrity, older: summary.older,
      isReadOnly: summary.isReadOnly ? true : nil,
      demo: DemoDescription(vault))
  }
}
