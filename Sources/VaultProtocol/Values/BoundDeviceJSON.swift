package import Identifiers
package import JSON
package import VaultModel

/// A device that is bound to the vault.
package struct BoundDeviceJSON: ResultObject, Hashable {
  /// The maximum length of a name, in code points.
  package static let longestName = 100

  package var id: Identifier
  package var name: String
  package var createdAt: Timestamp
  /// The last unlock with this binding; nil if there was none.
  package var lastUsedAt: Timestamp?
  package var isThisDevice: Bool

  package init(
    id: Identifier, name: String, createdAt: Timestamp, lastUsedAt: Timestamp?, isThisDevice: Bool
  ) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
    self.isThisDevice = isThisDevice
  }

  package static let coder = ObjectCoder(
    Self.init(id:name:createdAt:lastUsedAt:isThisDevice:), .required("id", \.id), .required("name", \.name),
    .required("createdAt", \.createdAt), .nullable("lastUsedAt", \.lastUsedAt),
    .required("thisDevice", \.isThisDevice))
}

/// The answer with the device that was bound.
package struct DeviceAnswer: ResultObject, Hashable {
  package var device: BoundDeviceJSON

  package init(_ device: BoundDeviceJSON) {
    self.device = device
  }

  package static let coder = ObjectCoder(Self.init(_:), .required("device", \.device))
}
