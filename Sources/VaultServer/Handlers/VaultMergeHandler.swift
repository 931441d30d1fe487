import VaultProtocol
import VaultMaintenance
import VaultSession

enum VaultMergeHandler: Handler {
  static let takesPassword = true

  static func answer(_ request: VaultMerge, _ context: WorkContext) async throws -> Outcome<VaultMerge.Answer>
  {
    let path = try UserPath(request.path)
    let merge = try await context.progress.during(request.progressToken, WorkTitle.merging) { report in
      try await context.interruptibly {
        try await context.session.merge(
          path, password: request.password, isDryRun: request.isDryRun, report)
      }
    }
    let answer = VaultMerge.Answer(
      added: merge.added, updated: merge.updated, deleted: merge.deleted, unchanged: merge.unchanged,
      takesSettings: merge.takesSettings,
      conflicts: merge.conflicts.map { .init(id: $0.card, copyID: $0.copy, title: $0.title) })
    return request.isDryRun ? Outcome(answer) : Outcome(answer, .merged, context.language)
  }
}
