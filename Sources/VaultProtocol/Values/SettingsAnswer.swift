public import JSON
public import JSONRPC
public import VaultModel

/// All settings, as `settings/get` and `settings/update` give them.
public struct SettingsAnswer: JSONConvertible {
  /// The settings.
  public var settings: Settings

  /// An answer of the given settings.
  public init(_ settings: Settings) {
    self.settings = settings
  }

  /// The answer on the wire.
  public var json: JSON {
    let templates = CardType.allCases.compactMap { type in
      settings.copyTemplates[type].map { JSON.Member(type.rawValue, .string($0)) }
    }
    return [
      "settings": [
        "autoLockSeconds": settings.autoLockSeconds.map(JSON.integer) ?? .null,
        "lockOnBackground": .bool(settings.lockOnBackground),
        "lockWithDesktop": .bool(settings.lockWithDesktop),
        "lockOnSleep": .bool(settings.lockOnSleep),
        "biometricUnlock": .bool(settings.biometricUnlock),
        "clipboardClearSeconds": settings.clipboardClearSeconds.map(JSON.integer) ?? .null,
        "copyTemplates": .object(templates),
        "language": .string(settings.language.rawValue),
      ]
    ]
  }
}
