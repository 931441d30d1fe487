import VaultProtocol
import VaultMaintenance
import VaultSession

enum VaultRepairHandler: Handler {
  static let takesPassword = true

  static func answer(
    _ request: VaultRepair, _ context: SessionContext
  ) async throws -> Outcome<VaultRepair.Answer> {
    let backup = try request.backup.map { path throws(FileError) in try UserPath(path) }
    let repair = try await context.session.repair(password: request.password, copy: backup)
    let answer = VaultRepair.Answer(
      backup: repair.backup, cards: repair.cards, attachments: repair.attachments,
      dropped: repair.dropped.map { dropped in
        switch dropped {
        case .card(let id): .card(id)
        case .attachment(let id): .attachment(id)
        case .document(let name): .document(name)
        }
      }, missing: repair.missing)
    let event: ActionEvent = repair.backup == nil ? .foundIntact : .repaired
    return Outcome(answer, event, context.language)
  }
}
