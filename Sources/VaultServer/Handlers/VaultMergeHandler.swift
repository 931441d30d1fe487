import VaultProtocol
import VaultMaintenance
import VaultSession

enum VaultMergeHandler: Handler {
  static let takesPassword = true
  static let prompts = [PinentryPrompt(parameter: "password", purpose: .ofCopy)]

  static func answer(_ request: VaultMerge, _ context: WorkContext) async throws -> Outcome<
    VaultMerge.Response
  > {
    let path = try UserPath(request.path)
    let merge = try await context.progress.during(request.progressToken, WorkTitle.merging) { report in
      try await context.interruptibly {
        try await context.session.merge(
          path, password: request.password, isDryRun: request.isDryRun, report)
      }
    }
    return request.isDryRun ? Outcome(merge) : Outcome(merge, .merged, context.language)
  }
}
