package import JSON
package import VaultModel

/// `settings/get`: all settings (R13).
package struct SettingsGet: VaultRequest {
  package static let method = "settings/get"
  package typealias Response = SettingsResponse

  package static let coder = ObjectCoder(Self.init)
}

/// The answer with all settings.
package struct SettingsResponse: ResultObject, Hashable {
  package var settings: Settings

  package init(_ settings: Settings) {
    self.settings = settings
  }

  package static let coder = ObjectCoder(Self.init(_:), .required("settings", \.settings))
}
