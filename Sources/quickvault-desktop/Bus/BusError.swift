import CSystemd

/// The failure of a bus call.
enum BusError: Error, Hashable {
  /// The service, or the bus in its place, replied with an error of this name.
  case failed(name: String)
  /// libsystemd returned an error number (errno(3)).
  case system(Int32)
  case disconnected
  /// The task was cancelled.
  case cancelled

  /// Whether the service does not run and cannot be started.
  var isServiceMissing: Bool {
    guard case .failed(let name) = self else { return false }
    let bus = "org.freedesktop.DBus.Error."
    return [
      bus + "ServiceUnknown", bus + "NameHasNoOwner", "org.freedesktop.systemd1.NoSuchUnit",
      "org.freedesktop.systemd1.UnitMasked",
    ].contains(name) || name.hasPrefix(bus + "Spawn.")
  }

  /// Throws if a function of libsystemd returned a negative error number.
  @discardableResult static func check(_ code: Int32) throws(BusError) -> Int32 {
    guard code >= 0 else { throw .system(-code) }
    return code
  }
}
