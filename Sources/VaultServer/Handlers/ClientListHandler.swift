import VaultProtocol

enum ClientListHandler: Handler {
  static let access = Access.reading

  static func answer(_ request: ClientList, _ context: ClientsContext) async -> Outcome<ClientList.Response> {
    Outcome(ClientList.Response(items: await context.service.list(for: context.client)))
  }
}
