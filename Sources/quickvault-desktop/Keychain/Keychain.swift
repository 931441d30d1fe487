import DesktopProtocol

/// The desktop's keychain, a Secret Service, as the very process that answered.
///
/// The specification: https://specifications.freedesktop.org/secret-service-spec/0.2/
struct Keychain {
  static let interface = "org.freedesktop.Secret."
  private static let service = "org.freedesktop.secrets"

  let bus: Bus
  /// Its unique name and the service's path.
  let peer: Bus.Peer
  /// The default collection's path; nil where there is none.
  let collection: String?

  /// Looks for the keychain, which is started where it can be.
  ///
  /// - Throws: ``Availability``.
  init(on bus: Bus) async throws(Availability) {
    do {
      let service = Bus.Peer(name: Self.service, path: "/org/freedesktop/secrets")
      let reply = try await bus.call(service, Self.interface + "Service", "ReadAlias") {
        message throws(BusError) in try message.append("default")
      }
      let path = try reply.requiredText(.objectPath)
      self.bus = bus
      peer = Bus.Peer(name: reply.sender, path: service.path)
      collection = path == "/" ? nil : path
    } catch {
      throw Availability(error, service: "gnome-keyring")
    }
  }

  /// Whether it can be used without asking the person.
  func availability() async -> Availability {
    guard let collection else { return Availability(.noCollection) }
    do {
      return Availability(try await isLocked(collection) ? .locked : .ready)
    } catch {
      return Availability(.failed)
    }
  }

  /// Whether a collection is locked.
  func isLocked(_ collection: String) async throws(BusError) -> Bool {
    try await bus.property("Locked", of: object(collection), Self.interface + "Collection", type: "b") {
      message throws(BusError) in try message.flag()
    }.value
  }

  /// An object of the keychain's.
  func object(_ path: String) -> Bus.Peer {
    Bus.Peer(name: peer.name, path: path)
  }

  /// Calls a method of the service itself.
  func call(
    _ member: String, _ fill: (BusMessage) throws(BusError) -> Void
  ) async throws(BusError) -> BusMessage {
    try await bus.call(peer, Self.interface + "Service", member, fill)
  }

  /// Agrees on how secrets go over the bus: as they are. protocol/DESKTOP.md tells why.
  ///
  /// - Returns: the session's path, which the bus ends with the connection.
  func openSession() async throws(BusError) -> String {
    let reply = try await call("OpenSession") { message throws(BusError) in
      try message.append("plain")
      try message.append(.variant, of: "s") { () throws(BusError) in try message.append("") }
    }
    try reply.skip("v")
    return try reply.requiredText(.objectPath)
  }
}
