package import JSON
import JSONRPC

/// `desktop/status`.
package struct DesktopStatus: RequestType, OutgoingRequest {
  package static let method = "desktop/status"

  package var parameters: JSON? { nil }

  package init() {}
  package init(_ parameters: inout Parameters) {}

  package struct Answer: JSONConvertible, ParameterValue, Hashable {
    package let fingerprint: Part
    package let keychain: Part
    package let session: Part

    package init(fingerprint: Part, keychain: Part, session: Part) {
      (self.fingerprint, self.keychain, self.session) = (fingerprint, keychain, session)
    }

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Answer {
      var members = try Parameters(value, at: path)
      return Answer(
        fingerprint: try members.required("fingerprint"), keychain: try members.required("keychain"),
        session: try members.required("session"))
    }

    package var json: JSON {
      ["fingerprint": fingerprint.json, "keychain": keychain.json, "session": session.json]
    }
  }

  /// One part of the desktop: its availability, and the details that apply to the part.
  package struct Part: JSONConvertible, ParameterValue, Hashable {
    package let availability: Availability
    /// The fingerprint reader's name.
    package var reader: String?
    /// `press` or `swipe`.
    package var scanType: String?
    /// The names of the enrolled fingers.
    package var fingers: [String]?
    /// Identifies the user, the reader and the enrolled fingers.
    package var enrollment: String?
    /// logind's ID of the session.
    package var id: String?
    /// Whether the session is locked.
    package var isLocked: Bool?

    package var state: Availability.State { availability.state }

    package init(_ availability: Availability) {
      self.availability = availability
    }

    package static func read(_ value: JSON, at path: String) throws(ParameterError) -> Part {
      var members = try Parameters(value, at: path)
      var part = Part(try Availability(&members))
      part.reader = try members.optional("reader")
      part.scanType = try members.optional("scanType")
      part.fingers = try members.optional("fingers")
      part.enrollment = try members.optional("enrollment")
      part.id = try members.optional("id")
      part.isLocked = try members.optional("locked")
      return part
    }

    package var json: JSON {
      let details: [(String, JSON?)] = [
        ("reader", reader.map { .string($0) }), ("scanType", scanType.map { .string($0) }),
        ("fingers", fingers.map { .array($0.map { .string($0) }) }),
        ("enrollment", enrollment.map { .string($0) }), ("id", id.map { .string($0) }),
        ("locked", isLocked.map { .bool($0) }),
      ]
      return .object(
        availability.members + details.compactMap { name, value in value.map { .init(name, $0) } })
    }
  }
}

/// Whether a part of the desktop can be used, and if not, what is missing.
package struct Availability: Error, Hashable {
  package enum State: String, CaseIterable, ParameterValue {
    case ready, busMissing, serviceMissing, noReader, permissionDenied, notEnrolled, locked, noCollection,
      none, failed
    /// `quickvault-desktop` itself is not installed; never on the wire.
    case programMissing
  }

  package let state: State
  /// The Debian package that provides what is missing.
  package let package: String?

  package init(_ state: State, package: String? = nil) {
    (self.state, self.package) = (state, package)
  }

  init(_ members: inout Parameters) throws(ParameterError) {
    self.init(try members.required("state"), package: try members.optional("package"))
  }

  var members: [JSON.Member] {
    [.init("state", .string(state.rawValue))] + (self.package.map { [.init("package", .string($0))] } ?? [])
  }
}
