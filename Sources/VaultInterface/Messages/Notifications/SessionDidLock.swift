package import Wire

/// `session/didLock`: the vault was locked, and the client clears what it shows of it (R12).
package struct SessionDidLock: VaultNotification, Hashable {
  package static let method = "session/didLock"

  package enum Reason: String, CaseIterable, JSONCodable {
    /// The client asked for it.
    case request
    /// There was no activity for the set time.
    case timeout
    /// The client went to the background.
    case background
    /// The desktop session was locked.
    case deviceLocked
    /// The machine is going to sleep.
    case sleep
    /// Another process changed the password, or removed the vault's file.
    case passwordChanged
    /// The server is ending.
    case shutdown
    /// This client may not use the vault any more; it is still unlocked for others (U).
    case revoked
  }

  package var reason: Reason

  package init(reason: Reason) { self.reason = reason }

  package static let coder = ObjectCoder(Self.init(reason:), .required("reason", \.reason))
}
