public import Identifiers
public import JSONRPC
import VaultModel

/// `device/revoke`: takes a device's binding away, wherever that device is (T).
public struct DeviceRevoke: RequestType {
  /// The method's name.
  public static let method = "device/revoke"
  /// What it gives.
  public typealias Answer = Nothing

  /// The device.
  public var id: Identifier

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    id = try parameters.required("id")
  }
}
