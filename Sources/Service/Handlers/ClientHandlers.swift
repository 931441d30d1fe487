import VaultInterface
import Wire

extension Registry {
  @MethodList static var clients: [Method] {
    Method(.reading) { (request: ClientList, context: ClientsContext) async -> Outcome<ClientList.Response> in
      Outcome(ClientList.Response(items: await context.service.list(for: context.client)))
    }

    Method(.reading, isOpenToAll: true) {
      (request: ClientRequestConsent, context: ConsentContext) async throws -> Outcome<UnlockResponse> in
      _ = try context.unlock.session.settings()
      try await context.requestConsent()
      return Outcome(try context.unlock.answer())
    }

    Method(.reading) {
      (request: ClientTicket, context: ClientsContext) async throws -> Outcome<ClientTicket.Response> in
      Outcome(
        ClientTicket.Response(
          ticket: try await context.service.makeTicket(for: context.client),
          secondsLeft: Int(Tickets.duration / 1_000)))
    }

    Method(.reading) { (request: ClientRevoke, context: ClientsContext) async throws -> Outcome<NullResult> in
      try await context.service.revoke(ClientIdentifier(number: request.id), for: context.client)
      return Outcome(NullResult())
    }
  }
}
