import JSONRPC
import VaultProtocol
import VaultSession

enum VaultAcceptOlderHandler: Handler {
  static func answer(_ request: VaultAcceptOlder, _ context: SessionContext) throws -> Outcome<NullResult> {
    try context.session.acceptOlder()
    return Outcome(NullResult())
  }
}
