package import JSON
package import VaultModel

/// `settings/update`: changes the given settings (R13).
package struct SettingsUpdate: VaultRequest {
  package static let method = "settings/update"
  package typealias Response = SettingsResponse

  package var change: SettingsChange

  package static let coder = ObjectCoder(Self.init, .members(\.change))
}
