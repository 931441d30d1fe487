package import Identifiers
package import JSON

/// `sync/forget`: removes a lost machine's files from the folder (S).
package struct SyncForget: VaultRequest {
  package static let method = "sync/forget"
  package typealias Response = SyncResponse

  package var replica: Identifier

  package static let coder = ObjectCoder(Self.init, .required("replica", \.replica))
}
