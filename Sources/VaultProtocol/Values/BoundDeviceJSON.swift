public import JSON
public import Identifiers
public import JSONRPC
public import VaultModel

/// A bound device as a client sees it.
public struct BoundDeviceJSON: JSONConvertible {
  /// The most code points of a device's name.
  public static let longestName = 100

  /// Its id.
  public var id: Identifier
  /// What its owner calls it.
  public var name: String
  /// When it was bound.
  public var createdAt: Timestamp
  /// When it last opened the vault; nil for never.
  public var lastUsedAt: Timestamp?
  /// Whether it is the device at hand.
  public var isThisDevice: Bool

  /// A device of the given parts.
  public init(
    id: Identifier, name: String, createdAt: Timestamp, lastUsedAt: Timestamp?, isThisDevice: Bool
  ) {
    self.id = id
    self.name = name
    self.createdAt = createdAt
    self.lastUsedAt = lastUsedAt
    self.isThisDevice = isThisDevice
  }

  /// The device on the wire.
  public var json: JSON {
    [
      "id": .string(id.description),
      "name": .string(name),
      "createdAt": .string(createdAt.description),
      "lastUsedAt": lastUsedAt.map { .string($0.description) } ?? .null,
      "thisDevice": .bool(isThisDevice),
    ]
  }
}

/// What `biometric/enable` gives: the device that was bound.
public struct DeviceAnswer: JSONConvertible {
  /// The device.
  public var device: BoundDeviceJSON

  /// An answer of the given device.
  public init(_ device: BoundDeviceJSON) {
    self.device = device
  }

  /// The answer on the wire.
  public var json: JSON { ["device": device.json] }
}
