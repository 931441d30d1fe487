import JSON
public import JSONRPC
public import VaultModel

/// `settings/update`: changes the settings that are given and keeps the rest (R13).
public struct SettingsUpdate: RequestType {
  /// The method's name.
  public static let method = "settings/update"
  /// What it gives.
  public typealias Answer = SettingsAnswer

  /// What is to change.
  public var change: SettingsChange

  /// Takes the parameters.
  public init(_ parameters: inout Parameters) throws(ParameterError) {
    var change = SettingsChange()
    change.autoLockSeconds = try parameters.seconds("autoLockSeconds")
    change.lockOnBackground = try parameters.optional("lockOnBackground")
    change.lockWithDesktop = try parameters.optional("lockWithDesktop")
    change.lockOnSleep = try parameters.optional("lockOnSleep")
    change.biometricUnlock = try parameters.optional("biometricUnlock")
    change.clipboardClearSeconds = try parameters.seconds("clipboardClearSeconds")
    let templates: JSON? = try parameters.optional("copyTemplates")
    if let templates { change.copyTemplates = try Self.templates(templates) }
    change.language = try parameters.optional("language")
    self.change = change
  }

  private static func templates(_ value: JSON) throws(ParameterError) -> [CardType: String?] {
    var members = try Parameters(value, at: "copyTemplates")
    var templates: [CardType: String?] = [:]
    for type in CardType.allCases {
      let template: String?? = try members.nullable(type.rawValue)
      if let template { templates[type] = .some(template) }
    }
    try members.finish()
    return templates
  }
}

extension Parameters {
  /// Takes a number of seconds for which null means never.
  fileprivate mutating func seconds(_ name: String) throws(ParameterError) -> SettingsChange.Seconds? {
    let value: Int?? = try nullable(name)
    return value.map { $0.map(SettingsChange.Seconds.after) ?? .never }
  }
}
