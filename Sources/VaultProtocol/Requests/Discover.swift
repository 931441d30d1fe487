package import JSON

/// `rpc.discover`: the OpenRPC document. Works locked.
package struct Discover: VaultRequest {
  package static let method = "rpc.discover"
  package typealias Response = JSON

  package static let coder = ObjectCoder(Self.init)
}
