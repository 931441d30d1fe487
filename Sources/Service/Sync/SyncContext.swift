import Vault
import VaultInterface

/// The synchronisation of the vault, and what opens one.
struct SyncContext: HandlerContext {
  let work: WorkContext
  let unlock: UnlockContext
  let sync: SyncService
  let account: AccountService
  private let service: VaultService

  init(_ service: isolated VaultService, _ client: ClientConversation) {
    work = WorkContext(service, client)
    unlock = UnlockContext(service, client)
    (sync, account) = (service.sync, service.account)
    self.service = service
  }

  var session: VaultSession { work.session }

  /// Where the account's credentials are kept.
  var credentials: any CredentialStore { service }

  /// Lets waiting requests run before the rest of the synchronisation.
  func pause(_ reason: SyncPause) async throws { try await service.pauseSync(reason) }

  /// Derives keys from what is in the folder, while other clients are answered: anyone who can write there chooses the work.
  ///
  /// - Throws: what `work` throws; ``VaultError/locked`` if the process is about to be replaced.
  func derive(leaving access: Access, _ work: () async throws -> Void) async throws {
    await service.leaveTurn(access)
    let result: Result<Void, any Error>
    do { result = .success(try await work()) } catch { result = .failure(error) }
    try await service.takeTurnAgain(access)
    try result.get()
  }

  /// Applies what others have published, and publishes what this machine changed.
  func synchronize(_ report: (Int) async -> Void) async throws {
    try await work.interruptibly {
      try await sync.run(session) { try await session.synchronize(report, pause: pause) }
    }
  }

  /// Carries the folder, if somebody is signed in, while other clients are answered.
  ///
  /// - Returns: whether somebody is.
  func carry(leaving access: Access) async throws -> Bool {
    try await work.interruptibly { try await service.mirrorOnRequest(leaving: access) }
  }

  /// How the vault is synchronised, in the client's language.
  func answer() throws -> SyncResponse {
    do {
      let status = try session.syncStatus(sync.problems)
      sync.didTell()
      return SyncResponse(status, sync, account.ifSignedIn(to: session), work.language)
    } catch SyncError.notEnabled {
      return SyncResponse(nil)
    }
  }
}

extension SyncResponse {
  /// Describes the vault to a client.
  ///
  /// - Parameters:
  ///   - status: nil if the vault is not synchronised.
  ///   - account: nil if nobody is signed in.
  init(_ status: SyncStatus?, _ service: SyncService, _ account: AccountService?, _ language: Language) {
    guard let status else {
      self.init(nil)
      return
    }
    let failure = service.failure.map { Failure($0.error, since: $0.since, in: language) }
    self.init(
      Details(
        state: service.isRunning ? .syncing : failure == nil ? .idle : .failed, folder: status.folder,
        replica: status.replica, machine: status.machine, published: status.published,
        needsPassword: service.hasNewKey ? true : nil,
        needsAttention: Self.attention(status, service, account).map { LocalizedMessage($0, in: language) },
        lastSynced: service.lastSynced, failure: failure,
        mirror: account.map { MirrorStatus($0, language) },
        replicas: status.others.map { Machine($0, language) }))
  }

  /// What somebody has to look at: the most urgent, for all clients alike.
  private static func attention(
    _ status: SyncStatus, _ service: SyncService, _ account: AccountService?
  ) -> Localized? {
    if service.hasNewKey {
      return Localized(
        "Another machine has given the vault a new key. Nothing is synchronised until this one has the new password: qv sync rejoin asks for it.",
        "另一台电脑已更换密钥；在本机输入新密码之前不会同步：请运行 qv sync rejoin。")
    }
    if let failure = service.failure { return failure.error.message }
    if let failure = account?.failure, !passingFailures.contains(failure.error.kind) {
      return failure.error.message
    }
    return status.others.lazy.compactMap { machine in
      machine.problem.map { problem in
        let name = machine.machine.isEmpty ? "\(machine.id)" : machine.machine
        let message = problem.message(of: machine)
        return Localized("\(name): \(message.english)", "\(name)：\(message.simplifiedChinese)")
      }
    }.first
  }

  /// The failures of the carrier that pass by themselves, such as while a laptop has no network.
  private static let passingFailures: Set = [
    "carrier.offline", "carrier.nameNotFound", "carrier.unreachable", "carrier.rateLimited",
    "carrier.timedOut",
    "carrier.interrupted", "carrier.serverFailed", "carrier.folderInUse",
    "carrier.locked",
  ]
}

extension SyncResponse.MirrorStatus {
  init(_ account: AccountService, _ language: Language) {
    self.init(
      lastMirrored: account.lastMirrored,
      failure: account.failure.map { SyncResponse.Failure($0.error, since: $0.since, in: language) },
      nextTry: account.nextTry, notice: account.notice.map { LocalizedMessage($0.message, in: language) },
      percentage: account.percentage)
  }
}

extension SyncResponse.Failure {
  fileprivate init(_ error: ErrorDescriptor, since: Timestamp, in language: Language) {
    self.init(kind: error.kind, message: LocalizedMessage(error.message, in: language), since: since)
  }
}

extension SyncResponse.Machine {
  fileprivate init(_ machine: SyncStatus.Replica, _ language: Language) {
    self.init(
      replica: machine.id, machine: machine.machine, lastSeen: machine.lastSeen, behind: machine.behind,
      problem: machine.problem.map { SyncResponse.Problem($0, of: machine, language) })
  }
}

extension SyncResponse.Problem {
  fileprivate init(_ problem: SyncProblem, of machine: SyncStatus.Replica, _ language: Language) {
    let (kind, segment): (Kind, Int64) =
      switch problem {
      case .missing(let segment): (.missing, segment)
      case .unreadable(let segment): (.unreadable, segment)
      case .replaced(let segment): (.replaced, segment)
      case .placeholder(let segment): (.placeholder, segment)
      case .contentMissing(let segment): (.contentMissing, segment)
      }
    self.init(
      kind: kind, segment: Int(segment), message: LocalizedMessage(problem.message(of: machine), in: language)
    )
  }
}

extension SyncProblem {
  /// One sentence for the user.
  fileprivate func message(of machine: SyncStatus.Replica) -> Localized {
    switch self {
    case .missing where machine.lastSeen == nil:
      Localized(
        "Nothing of this machine is here yet. Its files may still be on their way.", "这台电脑的内容尚未到达，可能还在传送中。")
    case .missing where machine.isPartial:
      Localized(
        "Not all of its cards are here yet. A file is missing, which may still be on its way.",
        "它的卡片尚未全部到达：缺少文件，可能还在传送中。")
    case .missing:
      Localized("A file is missing. It may still be on its way.", "缺少文件，可能还在传送中。")
    case .unreadable:
      Localized(
        "A file cannot be read, or is damaged or incomplete; it was not applied.", "有文件无法读取、损坏或不完整，未予应用。")
    case .replaced:
      Localized(
        "A file was replaced by another one, which was not applied.", "有文件与之前不同，未予应用。")
    case .placeholder:
      Localized(
        "Only a placeholder of a file is here. Let the cloud client keep the folder on this machine.",
        "文件夹中只有占位文件，请让云盘客户端把该文件夹保留在本机。")
    case .contentMissing: Localized("An attachment has not arrived yet.", "有附件尚未到达。")
    }
  }
}
