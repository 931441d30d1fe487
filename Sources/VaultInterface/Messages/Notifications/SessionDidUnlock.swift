package import Wire

/// `session/didUnlock`: another client unlocked the vault (U).
package struct SessionDidUnlock: VaultNotification, Hashable {
  package static let method = "session/didUnlock"

  /// Whether this client may use it; if not, it has to be admitted.
  package var isAdmitted: Bool

  package init(isAdmitted: Bool) { self.isAdmitted = isAdmitted }

  package static let coder = ObjectCoder(Self.init(isAdmitted:), .required("admitted", \.isAdmitted))
}
