public import Wire

/// A device that unlocks the vault with a secret in its keychain (T).
public struct BoundDevice: Sendable, Hashable {
  /// The identifier of the device for this vault, which is also that of its slot.
  public var id: Identifier
  /// The name that the user gave it, at most ``Limits/deviceName`` code points.
  public var name: String
  public var createdAt: Timestamp
  /// The time of its last unlock; nil for never.
  public var lastUsedAt: Timestamp?
  public var isThisDevice: Bool

  public init(
    id: Identifier, name: String, createdAt: Timestamp, lastUsedAt: Timestamp?, isThisDevice: Bool
  ) {
    (self.id, self.name, self.createdAt) = (id, name, createdAt)
    (self.lastUsedAt, self.isThisDevice) = (lastUsedAt, isThisDevice)
  }
}
