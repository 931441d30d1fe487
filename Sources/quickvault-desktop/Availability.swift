import JSON

/// Whether a part of the desktop can be used, and if not, what is missing.
struct Availability: Error, Hashable {
  /// The word for it in protocol/DESKTOP.md.
  var state: State
  /// The Debian package that brings what is missing.
  var package: String?

  /// What a part is like.
  enum State: String {
    case ready
    case busMissing
    case serviceMissing
    case noReader
    case permissionDenied
    case notEnrolled
    case locked
    case noCollection
    case none
    case failed
  }

  /// A part whose state nobody can install something against.
  init(_ state: State, package: String? = nil) {
    self.state = state
    self.package = package
  }

  /// What a failed call says of the service that was called.
  init(_ error: BusError, service package: String) {
    switch error {
    case _ where error.meansNoService: self.init(.serviceMissing, package: package)
    case .refused(name: "org.freedesktop.DBus.Error.AccessDenied"): self.init(.permissionDenied)
    default: self.init(.failed)
    }
  }

  /// The members on the wire, with what else is known.
  func json(_ details: [JSON.Member] = []) -> JSON {
    let members: [JSON.Member] = [.init("state", .string(state.rawValue))]
    return .object(members + (package.map { [JSON.Member("package", .string($0))] } ?? []) + details)
  }
}
