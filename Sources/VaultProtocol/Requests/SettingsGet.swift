public import JSONRPC

/// `settings/get`: all settings (R13).
public struct SettingsGet: RequestType {
  /// The method's name.
  public static let method = "settings/get"

  /// Takes no parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {}

  /// What it gives.
  public typealias Answer = SettingsAnswer
}
