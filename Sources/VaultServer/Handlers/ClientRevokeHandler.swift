import JSONRPC
import VaultProtocol

enum ClientRevokeHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: ClientRevoke, _ context: ClientsContext) async throws -> Outcome<NullResult> {
    try await context.service.revoke(ClientIdentifier(number: request.id))
    return Outcome(NullResult())
  }
}
