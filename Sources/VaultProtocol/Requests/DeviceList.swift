package import JSON
package import VaultModel

/// `device/list`: the bound devices, in the order in which they were bound (T).
package struct DeviceList: VaultRequest {
  package static let method = "device/list"
  package typealias Response = ItemsResponse<BoundDevice>

  package static let coder = ObjectCoder(Self.init)
}
