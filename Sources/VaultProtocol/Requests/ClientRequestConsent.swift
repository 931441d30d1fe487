package import JSON

/// `client/requestConsent`: asks the users of the admitted clients whether this program may use the unlocked vault (U).
package struct ClientRequestConsent: VaultRequest {
  package static let method = "client/requestConsent"
  package typealias Response = UnlockResponse

  package static let coder = ObjectCoder(Self.init)
}
