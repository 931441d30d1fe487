public import JSON
public import JSONRPC

/// `device/list`: the devices that are bound to the vault (T).
public struct DeviceList: RequestType {
  /// The method's name.
  public static let method = "device/list"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}

  /// The devices.
  public struct Answer: JSONConvertible {
    /// In the order in which they were bound.
    public var items: [BoundDeviceJSON]

    /// An answer of the given devices.
    public init(items: [BoundDeviceJSON]) {
      self.items = items
    }

    /// The answer on the wire.
    public var json: JSON { ["items": .array(items.map(\.json))] }
  }
}
