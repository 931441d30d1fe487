import JSONRPC
import VaultProtocol
import VaultSession

enum BiometricDisableHandler: Handler {
  static func answer(
    _ request: BiometricDisable, _ context: BiometricContext
  ) async throws -> Outcome<NullResult> {
    _ = try context.session.settings()
    guard try context.session.status().isBound else { throw BiometricError.notEnabled }
    try context.confirmation.require()
    try await context.biometrics.unbind(try context.session.thisDevice())
    return Outcome(NullResult())
  }
}
