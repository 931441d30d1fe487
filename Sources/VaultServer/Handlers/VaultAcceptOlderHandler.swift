import JSONRPC
import VaultProtocol
import VaultSession

enum VaultAcceptOlderHandler: Handler {
  static func answer(_ request: VaultAcceptOlder, _ context: SessionContext) throws -> Outcome<Nothing> {
    try context.session.acceptOlder()
    return Outcome(Nothing())
  }
}
