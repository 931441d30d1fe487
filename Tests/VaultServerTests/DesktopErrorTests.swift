import Foundation
import HelperProtocols
import TestSupport
import Testing
import Vault
import Wire

@testable import Service

/// The errors of the desktop program, and the errors that clients get.
@Suite("The desktop program's errors") struct DesktopErrorTests {
  private static let table: [(kind: String, package: String?, expected: BiometricError?)] = [
    ("fingerprint.serviceMissing", "dbus", .biometryNotAvailable(.busMissing)),
    ("fingerprint.serviceMissing", "fprintd", .biometryNotAvailable(.serviceMissing)),
    ("fingerprint.noReader", nil, .biometryNotAvailable(.noReader)),
    ("fingerprint.permissionDenied", nil, .biometryNotAvailable(.permissionDenied)),
    ("fingerprint.notEnrolled", nil, .biometryNotEnrolled),
    ("fingerprint.busy", nil, .biometryNotAvailable(.readerBusy)),
    ("fingerprint.timedOut", nil, .timedOut),
    ("fingerprint.disconnected", nil, .biometryNotAvailable(.noReader)),
    ("fingerprint.serviceStopped", nil, .systemCancel),
    ("fingerprint.sleeping", nil, .systemCancel),
    ("fingerprint.failed", nil, .biometryNotAvailable(.failed)),
    ("rpc.cancelled", nil, nil),
    ("keychain.serviceMissing", "dbus-user-session", .biometryNotAvailable(.sessionBusMissing)),
    ("keychain.serviceMissing", "gnome-keyring", .biometryNotAvailable(.keychainMissing)),
    ("keychain.noCollection", nil, .biometryNotAvailable(.noCollection)),
    ("keychain.dismissed", nil, .keychainLocked),
    ("keychain.locked", nil, .keychainLocked),
    ("keychain.absent", nil, .invalidContext),
    ("keychain.malformed", nil, .invalidContext),
    ("keychain.timedOut", nil, .keychainLocked),
    ("keychain.failed", nil, .biometryNotAvailable(.keychainFailed)),
  ]

  @Test("B every error of the desktop program is mapped to the documented error", arguments: table.indices)
  func refusals(index: Int) {
    let (kind, package, expected) = Self.table[index]
    var data: JSON = ["kind": .string(kind)]
    if let package { data = ["kind": .string(kind), "package": .string(package)] }
    let error = BiometricError.from(ResponseError(code: 2_000, message: "", data: data))
    #expect(error as? BiometricError == expected)
    #expect(expected != nil || error is CancellationError)
  }

  @Test("B a keychain that failed is not taken for the fingerprint service, in either language")
  func failedKeychain() throws {
    let part = DesktopStatus.Part(Availability(.failed))
    let (keychain, fingerprint) = (try #require(part.keychainAdvice), try #require(part.fingerprintAdvice))
    #expect(keychain.english != fingerprint.english)
    #expect(keychain.simplifiedChinese != fingerprint.simplifiedChinese)
  }

  @Test("B every error of protocol/DESKTOP.md is tested")
  func complete() throws {
    let page = try String(
      contentsOf: Repository.protocolDirectory.appending(path: "DESKTOP.md"), encoding: .utf8)
    let named = page.matches(of: /(?m)^\|\s*-?[0-9]+\s*\|\s*`([a-zA-Z]+\.[a-zA-Z]+)`/).map { String($0.1) }
    #expect(Set(named) == Set(Self.table.map(\.kind)))
  }
}
