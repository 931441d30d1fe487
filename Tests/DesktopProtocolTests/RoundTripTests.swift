import Foundation
import HelperProtocols
import TestSupport
import Testing
import Wire

/// Both sides of the desktop wire agree: what one encodes, the other decodes.
@Suite("Desktop protocol") struct RoundTripTests {
  private let item = KeychainItem(vault: "vault-1", device: "device-1")

  /// Encodes a request's parameters, decodes them and encodes them again.
  private func expectRoundTrip<Request: RequestType & OutgoingRequest>(_ request: Request) throws {
    #expect(try Request.read(request.parameters).parameters == request.parameters)
  }

  private func expectRoundTrip<Value: JSONConvertible & ParameterValue & Equatable>(_ value: Value) throws {
    #expect(try Value.read(value.json, at: "result") == value)
  }

  @Test("Requests")
  func requests() throws {
    try expectRoundTrip(DesktopStatus())
    try expectRoundTrip(DesktopWatch(lock: true, sleep: false))
    try expectRoundTrip(FingerprintVerify(attempts: 3, timeoutSeconds: 20))
    try expectRoundTrip(KeychainStore(item: item, secret: "AAAA", label: "Vault", timeoutSeconds: 60))
    try expectRoundTrip(KeychainRead(item: item, timeoutSeconds: 60))
    let account = KeychainItem(vault: "vault-1", device: "device-1", purpose: .account)
    try expectRoundTrip(KeychainRead(item: account, prompts: false, timeoutSeconds: 60))
    try expectRoundTrip(KeychainDelete(item: item, timeoutSeconds: 60))
  }

  @Test("Status")
  func status() throws {
    var fingerprint = DesktopStatus.Part(Availability(.ready))
    fingerprint.reader = "Reader"
    fingerprint.scanType = "press"
    fingerprint.fingers = ["right-index-finger"]
    fingerprint.enrollment = "1000/Reader/right-index-finger"
    var session = DesktopStatus.Part(Availability(.ready))
    session.id = "c1"
    session.isLocked = false
    try expectRoundTrip(
      DesktopStatus.Response(
        fingerprint: fingerprint,
        keychain: DesktopStatus.Part(Availability(.serviceMissing, package: "gnome-keyring")),
        session: session))
  }

  @Test("Watching")
  func watch() throws {
    let unavailable = DesktopWatch.Part.unavailable(Availability(.busMissing, package: "dbus"))
    for lock in [.notRequested, .watching(isLocked: true), unavailable] {
      try expectRoundTrip(DesktopWatch.Response(lock: lock, sleep: .watching(isLocked: nil)))
    }
  }

  @Test("Fingerprint states and results")
  func fingerprint() throws {
    for outcome in FingerprintVerify.Response.Outcome.allCases {
      try expectRoundTrip(FingerprintVerify.Response(outcome: outcome, attempts: 2, enrollment: "e"))
    }
    for state in FingerprintDidChangeState.State.allCases {
      try expectRoundTrip(FingerprintDidChangeState(state, attempt: 1))
    }
    for reason in FingerprintDidChangeState.Reason.allCases {
      try expectRoundTrip(FingerprintDidChangeState(.retry, attempt: 2, reason: reason))
    }
  }

  @Test(
    "Parameters out of range are rejected",
    arguments: [
      #"{"vault":"","device":"d"}"#, #"{"vault":"a b","device":"d"}"#, #"{"vault":"v"}"#,
      #"{"vault":"v","device":"d","timeoutSeconds":301}"#, #"{"vault":"v","device":"d","label":"x"}"#,
    ])
  func rejected(parameters: String) throws {
    let value = try JSONReader.read(Array(parameters.utf8))
    #expect(throws: ParameterError.self) { try KeychainRead.read(value) }
  }

  @Test("Errors", arguments: DesktopError.allCases)
  func errors(error: DesktopError) {
    #expect(DesktopError(error.response) == error)
  }

  @Test("Errors are those of protocol/DESKTOP.md, with the same codes")
  func documentedErrors() throws {
    let page = try String(
      contentsOf: Repository.protocolDirectory.appending(path: "DESKTOP.md"), encoding: .utf8)
    let rows = page.matches(of: /(?m)^\|\s*(-?[0-9]+)\s*\|\s*`([a-zA-Z]+\.[a-zA-Z]+)`/)
    let documented = Set(rows.map { "\($0.1) \($0.2)" })
    let defined = DesktopError.allCases.map { error in
      "\(error.response.code) \(error.response.data?["kind"]?.string ?? "")"
    }
    #expect(documented == Set(defined))
  }
}
