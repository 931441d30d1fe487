import HelperProtocols
import WebCarrier
import Wire

/// Answers requests, one after another.
actor Carrier {
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }
  private nonisolated let loop: EventLoop
  private let notify: @Sendable (any OutgoingNotification) -> Void
  /// Whether a request runs that is useless without its answer.
  private var needsReader = false
  private var hasReader = true

  init(_ loop: EventLoop, notify: @escaping @Sendable (any OutgoingNotification) -> Void) {
    (self.loop, self.notify) = (loop, notify)
  }

  /// Handles that nobody reads the answers any more.
  ///
  /// - Returns: whether what runs is to be stopped.
  func inputDidEnd() -> Bool {
    hasReader = false
    return needsReader
  }

  func result(_ request: IncomingRequest) async throws -> JSON? {
    let parameters = request.parameters
    needsReader = parameters?["finishes"] != true
    defer { needsReader = false }
    guard hasReader || !needsReader else { throw CarrierError.cancelled }
    switch request.method {
    case "initialize":
      _ = try Parameters(parameters)
      return ["name": "quickvault-carrier", "version": .string(Program.version), "protocolVersion": 1]
    case CarrierSignIn.method: return try await signIn(.read(parameters)).json
    case CarrierRefresh.method: return try await refresh(.read(parameters)).json
    case CarrierRevoke.method: return try await revoke(.read(parameters)).json
    case CarrierMirror.method: return try await mirror(.read(parameters)).json
    case CarrierDeleteData.method: return try await deleteData(.read(parameters)).json
    default: return nil
    }
  }

  private func signIn(_ request: CarrierSignIn) async throws -> CarrierSignIn.Response {
    let (address, signIn) = (try address(request.address), try SignIn(request))
    return try await work(request.authorities) { work throws(CarrierError) in
      try signIn.run(at: address, timeout: request.timeoutSeconds, work.environment) { work.notify($0) }
    }
  }

  private func refresh(_ request: CarrierRefresh) async throws -> CarrierRefresh.Response {
    guard case .token(let token) = request.credentials else {
      return CarrierRefresh.Response(credentials: request.credentials)
    }
    return try await work(request.authorities) { work throws(CarrierError) in
      let provider = try OpenIDProvider(of: token, work.environment)
      return CarrierRefresh.Response(credentials: .token(try provider.refresh(token)))
    }
  }

  private func revoke(_ request: CarrierRevoke) async throws -> CarrierRevoke.Response {
    let address = try address(request.address)
    return try await work(request.authorities) { work throws(CarrierError) in
      let isRevoked =
        switch request.credentials {
        case .token(let token):
          try OpenIDProvider(of: token, work.environment).revoke(token)
        case .password:
          try NextcloudServer(ofCollection: address.url(""), work.environment)?.revoke(request.credentials)
        }
      return CarrierRevoke.Response(revoked: isRevoked ?? false)
    }
  }

  private func mirror(_ request: CarrierMirror) async throws -> CarrierMirror.Response {
    let address = try address(request.address)
    return try await Work.run(on: self, authorities: request.authorities, notify: notify) {
      work throws(CarrierError) in
      var last = 0
      return try MirrorPass.run(
        request.folder, address, request.credentials.http, work.environment, waits: request.finishes,
        listsAll: request.listsAll
      ) { done, total in
        let percentage = done * 100 / max(total, 1)
        guard let token = request.progressToken, percentage > last else { return }
        last = percentage
        work.notify(CarrierProgress(token, percentage: percentage))
      }
    }
  }

  private func deleteData(_ request: CarrierDeleteData) async throws -> CarrierDeleteData.Response {
    let (address, vault) = (try address(request.address), request.vault.lowercased())
    guard MirroredFile.isIdentifier(vault) else { throw ParameterError("vault", .identifier) }
    return try await Work.run(on: self, authorities: request.authorities, notify: notify) {
      work throws(CarrierError) in
      try MirrorPass.between(passesOver: request.folder, address, work.environment) {
        () throws(CarrierError) in
        let account = try WebAccount(address, request.credentials, work.environment)
        return CarrierDeleteData.Response(deleted: try account.deleteData(of: vault))
      }
    }
  }

  private func address(_ text: String) throws(ParameterError) -> WebAddress {
    guard let address = WebAddress(text) else { throw ParameterError("address", .string) }
    return address
  }

  /// Runs work that needs no files of the user.
  private func work<Response: Sendable>(
    _ authorities: String?, _ body: @escaping @Sendable (Work) throws(CarrierError) -> Response
  ) async throws -> Response {
    try await Work.run(on: self, authorities: authorities, notify: notify) { work throws(CarrierError) in
      Sandbox.restrictFiles(writing: [], authorities: authorities)
      return try body(work)
    }
  }
}

extension Carrier: WorkerHandler {
  static let guide = "protocol/CARRIER.md"

  func response(to error: any Error) -> ResponseError? { (error as? CarrierError)?.response }
}
