package import Wire

/// An application error of `quickvault-desktop`.
package enum DesktopError: Error, CaseIterable, Hashable {
  case systemBusMissing, fingerprintServiceMissing, noReader, permissionDenied, notEnrolled, readerBusy
  case fingerprintTimedOut, readerDisconnected, fingerprintServiceStopped, sleeping, fingerprintFailed
  case sessionBusMissing, keychainServiceMissing, noCollection, promptDismissed, keychainLocked, secretAbsent
  case secretMalformed, promptTimedOut, keychainFailed
  case cancelled

  private struct Descriptor {
    let code: Int
    let kind: String
    let message: String
    /// The Debian package that provides what is missing.
    var package: String?

    init(_ code: Int, _ kind: String, _ message: String, package: String? = nil) {
      (self.code, self.kind, self.message, self.package) = (code, kind, message, package)
    }
  }

  private var descriptor: Descriptor {
    switch self {
    case .systemBusMissing:
      Descriptor(2001, "fingerprint.serviceMissing", "There is no system bus.", package: "dbus")
    case .fingerprintServiceMissing:
      Descriptor(2001, "fingerprint.serviceMissing", "fprintd cannot be reached.", package: "fprintd")
    case .noReader: Descriptor(2002, "fingerprint.noReader", "There is no fingerprint reader.")
    case .permissionDenied:
      Descriptor(
        2003, "fingerprint.permissionDenied",
        "The system's policy does not allow using the fingerprint reader.")
    case .notEnrolled: Descriptor(2004, "fingerprint.notEnrolled", "No finger is enrolled.")
    case .readerBusy: Descriptor(2005, "fingerprint.busy", "Another program is using the fingerprint reader.")
    case .fingerprintTimedOut: Descriptor(2006, "fingerprint.timedOut", "No finger was scanned in time.")
    case .readerDisconnected:
      Descriptor(2007, "fingerprint.disconnected", "The fingerprint reader was disconnected.")
    case .fingerprintServiceStopped: Descriptor(2008, "fingerprint.serviceStopped", "fprintd ended.")
    case .sleeping: Descriptor(2009, "fingerprint.sleeping", "The machine is about to sleep.")
    case .fingerprintFailed: Descriptor(2010, "fingerprint.failed", "The fingerprint reader failed.")
    case .sessionBusMissing:
      Descriptor(
        2101, "keychain.serviceMissing", "There is no session bus.", package: "dbus-user-session")
    case .keychainServiceMissing:
      Descriptor(2101, "keychain.serviceMissing", "No keychain can be reached.", package: "gnome-keyring")
    case .noCollection: Descriptor(2102, "keychain.noCollection", "The keychain has no default collection.")
    case .promptDismissed: Descriptor(2103, "keychain.dismissed", "The keychain's prompt was dismissed.")
    case .keychainLocked: Descriptor(2104, "keychain.locked", "The keychain is still locked.")
    case .secretAbsent:
      Descriptor(2105, "keychain.absent", "The keychain has no secret for this vault and device.")
    case .secretMalformed:
      Descriptor(2106, "keychain.malformed", "The stored secret does not have the right length.")
    case .promptTimedOut:
      Descriptor(2107, "keychain.timedOut", "The keychain's prompt was not answered in time.")
    case .keychainFailed: Descriptor(2108, "keychain.failed", "The keychain failed.")
    case .cancelled: Descriptor(-32800, "rpc.cancelled", "The request was cancelled.")
    }
  }

  /// Recognizes an error by the kind and package in its data.
  package init?(_ response: ResponseError) {
    let matches = Self.allCases.filter { $0.descriptor.kind == response.data?["kind"]?.string }
    let package = response.data?["package"]?.string
    guard let error = matches.first(where: { $0.descriptor.package == package }) ?? matches.last else {
      return nil
    }
    self = error
  }

  package var response: ResponseError {
    let descriptor = descriptor
    let package = descriptor.package.map { [JSON.Member("package", .string($0))] } ?? []
    return ResponseError(
      code: descriptor.code, message: descriptor.message,
      data: .object([.init("kind", .string(descriptor.kind))] + package))
  }
}
