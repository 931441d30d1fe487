import VaultModel
import VaultProtocol
import VaultSession

enum PasswordCheckHandler: Handler {
  static let access = Access.unlocking
  static let isOpenToAll = true
  static let takesPassword = true

  static func answer(
    _ request: PasswordCheck, _ context: SessionContext
  ) throws -> Outcome<PasswordCheck.Response> {
    try VaultSession.check(newPassword: request.password)
    let warnings = GuessablePassword.warnings(about: request.password)
    return Outcome(PasswordCheck.Response(warnings: warnings.map { IssueJSON($0, in: context.language) }))
  }
}
