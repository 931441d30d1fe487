import CSystemd

/// Why a call over a bus came to nothing.
enum BusError: Error, Hashable {
  /// The other side, or the bus in its place, answered with an error of this name.
  case refused(name: String)
  /// libsystemd refused: an error number (errno(3)).
  case system(Int32)
  /// The connection ended.
  case disconnected
  /// Whoever asked does not want to know any more.
  case cancelled

  /// Whether nobody has the name that was called, and nobody can be started who would.
  var meansNoService: Bool {
    guard case .refused(let name) = self else { return false }
    let bus = "org.freedesktop.DBus.Error."
    return [
      bus + "ServiceUnknown", bus + "NameHasNoOwner", "org.freedesktop.systemd1.NoSuchUnit",
      "org.freedesktop.systemd1.UnitMasked",
    ].contains(name) || name.hasPrefix(bus + "Spawn.")
  }

  /// Throws what a call of libsystemd returned, where it is below zero.
  @discardableResult static func check(_ code: Int32) throws(BusError) -> Int32 {
    guard code >= 0 else { throw .system(-code) }
    return code
  }
}
