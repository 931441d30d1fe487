public import JSONRPC

/// `biometric/disable`: takes this device's binding away (T).
public struct BiometricDisable: RequestType {
  /// The method's name.
  public static let method = "biometric/disable"
  /// What it gives.
  public typealias Answer = Nothing

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}
}
