import CResources
import Vault
import VaultInterface
import Wire

extension Registry {
  @MethodList static var sessions: [Method] {
    Method(.reading, isOpenToAll: true) {
      (request: Initialize, context: ClientContext) -> Outcome<Initialize.Response> in
      if let locale = request.locale {
        context.client.setLocale(locale)
      }
      if let process = request.processIdentifier {
        context.client.watchProcess(process)
      }
      context.client.answersConsent = request.answersConsent
      if let client = LanguageClient(initialize: request.all) { context.client.setEditor(Editor(client)) }
      let language = (context.chosenLanguage ?? context.client.language).rawValue
      guard let editor = context.client.editor else {
        return Outcome(
          Initialize.Response(
            protocolVersion: Server.protocolVersion, version: Server.version, language: language))
      }
      let own: JSON = [
        "quickvault": ["protocolVersion": .integer(Server.protocolVersion), "locale": .string(language)]
      ]
      return Outcome(
        Initialize.Response(
          version: Server.version, capabilities: editor.client.capabilities(experimental: own)))
    }

    Method(.reading, isOpenToAll: true) { (request: Discover, context: NoContext) throws -> Outcome<JSON> in
      let bytes = unsafe UnsafeBufferPointer(
        start: quickvault_openrpc(), count: quickvault_openrpc_count())
      return Outcome(try unsafe JSONReader.read(Array(bytes)))
    }

    Method(.unlocking, prompts: .password, isOpenToAll: true, interruption: .password) {
      (request: SessionUnlock, context: UnlockContext) async throws -> Outcome<UnlockResponse> in
      try context.refuseWhileHandingOff()
      switch request.means {
      case .password(let password):
        context.desktop.fetchStatusIfUnknown()
        try await context.session.unlock(password: password)
        await context.didUnlockWithPassword()
        return Outcome(try context.answer(), admittedBy: .password)
      case .biometric:
        try await context.biometrics.unlockVault()
        context.didUnlockWithFingerprint()
        return Outcome(try context.answer(), admittedBy: .fingerprint)
      }
    }

    Method(.reading, isOpenToAll: true, interruption: .lock) {
      (request: SessionLock, context: NoContext) -> Outcome<NullResult> in
      Outcome(NullResult(), locking: .request)
    }

    Method(.unlocking, takesPassword: true, isOpenToAll: true) {
      (request: PasswordCheck, context: SessionContext) throws -> Outcome<PasswordCheck.Response> in
      try VaultSession.check(newPassword: request.password)
      let warnings = GuessablePassword.warnings(about: request.password)
      return Outcome(PasswordCheck.Response(warnings: warnings.map { IssueJSON($0, in: context.language) }))
    }

    Method(.reading) { (request: LogList, context: SessionContext) throws -> Outcome<LogList.Response> in
      Outcome(LogList.Response(items: try context.session.log(limit: request.limit)))
    }
  }

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
