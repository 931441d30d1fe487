package import Wire

/// `desktop/status`.
package struct DesktopStatus: DesktopRequest {
  package static let method = "desktop/status"
  package static let coder = ObjectCoder(Self.init)

  package init() {}

  package struct Response: ResultObject, Hashable {
    package let fingerprint: Part
    package let keychain: Part
    package let session: Part

    package init(fingerprint: Part, keychain: Part, session: Part) {
      (self.fingerprint, self.keychain, self.session) = (fingerprint, keychain, session)
    }

    package static let coder = ObjectCoder(
      Self.init, .required("fingerprint", \.fingerprint), .required("keychain", \.keychain),
      .required("session", \.session))
  }

  /// One part of the desktop: its availability, and the details that apply to the part.
  package struct Part: ResultObject, Hashable {
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

    package static let coder = ObjectCoder(
      Self.init(availability:reader:scanType:fingers:enrollment:id:isLocked:), .members(\.availability),
      .optional("reader", \.reader), .optional("scanType", \.scanType), .optional("fingers", \.fingers),
      .optional("enrollment", \.enrollment), .optional("id", \.id), .optional("locked", \.isLocked))
  }
}

extension DesktopStatus.Part {
  package init(_ availability: Availability) {
    self.init(availability: availability)
  }

  package var state: Availability.State { availability.state }
}

/// Whether a part of the desktop can be used, and if not, what is missing.
package struct Availability: Error, JSONObject, Hashable {
  package enum State: String, CaseIterable, JSONCodable {
    case ready, busMissing, serviceMissing, noReader, permissionDenied, notEnrolled, locked, noCollection,
      none, failed
    /// `quickvault-desktop` itself is not installed; never sent.
    case programMissing
  }

  package let state: State
  /// The Debian package that provides what is missing.
  package let package: String?

  package init(_ state: State, package: String? = nil) {
    (self.state, self.package) = (state, package)
  }

  package static let coder = ObjectCoder(
    Self.init(_:package:), .required("state", \.state), .optional("package", \.package))
}
