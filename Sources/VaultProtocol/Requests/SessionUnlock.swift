package import JSON

/// `session/unlock`: opens the vault. If it is already open, the password or fingerprint is still checked.
package struct SessionUnlock: VaultRequest {
  package static let method = "session/unlock"
  package typealias Response = UnlockResponse

  package var means: AuthenticationMeans

  package static let coder = ObjectCoder(Self.init, .members(\.means))
}
