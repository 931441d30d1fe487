import Foundation
import HelperProtocols
import TestSupport
import Testing
import Wire

/// Both sides of the carrier's wire agree: what one encodes, the other decodes.
@Suite("Carrier protocol") struct RoundTripTests {
  private let address = "https://cloud.example.org/dav/"
  private let password = CarrierCredentials.password(user: "alice", password: "a secret")
  private let token = CarrierCredentials.token(
    .init(
      issuer: "https://id.example.org", clientId: "quickvault", accessToken: "a-secret",
      refreshToken: "another-secret", expiresAt: 1_800_000_000))

  /// Encodes a request's parameters, decodes them and encodes them again.
  private func expectRoundTrip<Request: RequestType & OutgoingRequest>(_ request: Request) throws {
    #expect(try Request.read(request.parameters).parameters == request.parameters)
  }

  private func expectRoundTrip<Value: JSONConvertible & ParameterValue & Equatable>(_ value: Value) throws {
    #expect(try Value.read(value.json, at: "result") == value)
  }

  @Test("Requests")
  func requests() throws {
    for method in CarrierSignIn.Method.allCases {
      try expectRoundTrip(
        CarrierSignIn(
          method: method, address: address, issuer: "https://id.example.org", clientId: "quickvault",
          scope: "openid", user: "alice", password: "a secret", authorities: "/ca.pem", timeoutSeconds: 60))
    }
    for credentials in [password, token] {
      try expectRoundTrip(
        CarrierMirror(folder: "/vault", address: address, credentials: credentials, progressToken: "1"))
      try expectRoundTrip(CarrierRefresh(credentials: credentials))
      try expectRoundTrip(CarrierRevoke(address: address, credentials: credentials, authorities: "/ca.pem"))
      try expectRoundTrip(
        CarrierDeleteData(address: address, credentials: credentials, vault: UUID().uuidString))
    }
  }

  @Test("Answers and notifications")
  func answers() throws {
    for credentials in [password, token] {
      try expectRoundTrip(CarrierSignIn.Response(address: address, credentials: credentials))
      try expectRoundTrip(CarrierRefresh.Response(credentials: credentials))
    }
    try expectRoundTrip(CarrierRevoke.Response(revoked: true))
    try expectRoundTrip(CarrierDeleteData.Response(deleted: true))
    var pass = CarrierMirror.Response.nothing
    (pass.sent, pass.received, pass.removedThere, pass.removedHere) = (1, 2, 3, 4)
    (pass.bytesSent, pass.bytesReceived) = (5, 6)
    (pass.damaged, pass.damagedThere) = (["a", "b"], ["b"])
    try expectRoundTrip(pass)
    (pass.damaged, pass.damagedThere) = ([], [])
    pass.failed = CarrierError.examples.map { .init(file: "a", error: $0) }
    pass.notice = .renameRefused(502)
    try expectRoundTrip(pass)
    try expectRoundTrip(
      CarrierPrompt(url: address, code: "ABCD", urlWithCode: address, expiresInSeconds: 600))
    try expectRoundTrip(CarrierProgress(7, percentage: 50))
  }

  @Test(
    "Credentials that would not fit into a header are rejected",
    arguments: [
      #"{"kind":"password","user":"","password":"x"}"#, #"{"kind":"password","user":"a\nb","password":"x"}"#,
      #"{"kind":"password","user":"a","password":"x\r\ny"}"#, #"{"kind":"key"}"#,
      #"{"kind":"token","issuer":"i","clientId":"c","accessToken":"a b"}"#,
      #"{"kind":"token","issuer":"i","clientId":"c","accessToken":"a\r\nX: y"}"#,
      #"{"kind":"token","issuer":"i","clientId":"c","accessToken":"a","refreshToken":""}"#,
    ])
  func rejected(credentials: String) throws {
    let value = try JSONReader.read(Array(credentials.utf8))
    #expect(throws: ParameterError.self) { try CarrierCredentials.read(value, at: "credentials") }
  }

  @Test("Nothing that prints or reflects a secret finds it")
  func secrets() {
    var texts: [String] = []
    for value in [password, token] as [Any] + [
      CarrierSignIn(method: .password, address: address, password: "a secret"),
      CarrierSignIn.Response(address: address, credentials: token), CarrierRefresh(credentials: token),
      CarrierMirror(folder: "/vault", address: address, credentials: password),
    ] {
      var dumped = ""
      dump(value, to: &dumped)
      texts += [dumped, "\(value)", String(reflecting: value)]
    }
    #expect(texts.filter { $0.contains("secret") } == [])
  }

  @Test("Errors", arguments: CarrierError.examples)
  func errors(error: CarrierError) {
    #expect(CarrierError(error.response) == error)
    #expect(error.message.chinese.unicodeScalars.contains { $0.value > 0x4E00 })
  }

  @Test("A provider's text is one short line")
  func providerText() {
    #expect(ProviderText("a\r\n\u{1B}[31mb\u{202E}c\u{0}").text == "a [31mb c")
    #expect(ProviderText(String(repeating: "x", count: 10_000)).text.count == 200)
    #expect(ProviderText("e" + String(repeating: "\u{301}", count: 10_000)).text.unicodeScalars.count <= 800)
  }

  @Test("Errors are those of protocol/CARRIER.md, with the same codes")
  func documentedErrors() throws {
    let page = try String(
      contentsOf: Repository.protocolDirectory.appending(path: "CARRIER.md"), encoding: .utf8)
    let rows = page.matches(of: /(?m)^\|\s*(-?[0-9]+)\s*\|\s*`([a-zA-Z]+\.[a-zA-Z]+)`/)
    let documented = Set(rows.map { "\($0.1) \($0.2)" })
    let defined = CarrierError.examples.map { "\($0.response.code) \($0.kind)" }
    #expect(documented == Set(defined))
  }
}
