import VaultModel
import VaultProtocol
import VaultSession
import VaultSync

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
        needsPassword: service.hasNewKey ? true : nil, lastSynced: service.lastSynced, failure: failure,
        mirror: account.map { MirrorStatus($0, language) },
        replicas: status.others.map { Machine($0, language) }))
  }
}

extension SyncResponse.MirrorStatus {
  init(_ account: AccountService, _ language: Language) {
    self.init(
      lastMirrored: account.lastMirrored,
      failure: account.failure.map { SyncResponse.Failure($0.error, since: $0.since, in: language) },
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
      problem: machine.problem.map { SyncResponse.Problem($0, language) })
  }
}

extension SyncResponse.Problem {
  fileprivate init(_ problem: SyncProblem, _ language: Language) {
    let (kind, segment): (Kind, Int64) =
      switch problem {
      case .missing(let segment): (.missing, segment)
      case .unreadable(let segment): (.unreadable, segment)
      case .replaced(let segment): (.replaced, segment)
      case .contentMissing(let segment): (.contentMissing, segment)
      }
    self.init(kind: kind, segment: Int(segment), message: LocalizedMessage(problem.message, in: language))
  }
}
