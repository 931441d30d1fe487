import JSONRPC
import VaultProtocol
import VaultSession

enum DeviceRevokeHandler: Handler {
  static func answer(_ request: DeviceRevoke, _ context: BiometricContext) async throws -> Outcome<NullResult>
  {
    _ = try context.session.settings()
    try context.confirmation.require()
    try await context.biometrics.unbind(request.id)
    return Outcome(NullResult())
  }
}
