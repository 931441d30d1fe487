import VaultProtocol
import VaultMaintenance
import VaultSession

enum VaultRepairHandler: Handler {
  static let access = Access.exclusive
  static let takesPassword = true
  static let prompts = PinentryPrompt.password

  static func answer(
    _ request: VaultRepair, _ context: WorkContext
  ) async throws -> Outcome<VaultRepair.Response> {
    let backup = try request.backup.map { path throws(FileError) in try UserPath(path) }
    let repair = try await context.interruptibly {
      try await context.session.repair(password: request.password, copy: backup)
    }
    let event: ActionEvent = repair.backup == nil ? .foundIntact : .repaired
    return Outcome(repair, event, context.language)
  }
}
