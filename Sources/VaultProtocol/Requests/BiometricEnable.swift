public import JSONRPC

/// `biometric/enable`: binds this device to the vault, after the password and a finger (T).
public struct BiometricEnable: RequestType {
  /// The method's name.
  public static let method = "biometric/enable"
  /// What it gives.
  public typealias Answer = DeviceAnswer

  /// The master password.
  public var password: String
  /// What the device is to be called; nil for the machine's name.
  public var name: String?

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    password = try parameters.required("password")
    name = try parameters.optional("name")
    if let name, name.unicodeScalars.count > BoundDeviceJSON.longestName {
      throw ParameterError("name", .atMost(BoundDeviceJSON.longestName))
    }
  }
}
