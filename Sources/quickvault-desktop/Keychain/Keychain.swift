import HelperProtocols

/// The desktop's keychain: a Secret Service, by the unique name of the process that answered.
///
/// The specification: https://specifications.freedesktop.org/secret-service-spec/0.2/
struct Keychain {
  static let interface = "org.freedesktop.Secret."
  private static let service = "org.freedesktop.secrets"

  let bus: Bus
  /// The service's unique name and path.
  let peer: Bus.Peer
  /// The default collection's path; nil if there is none.
  let collection: String?

  /// Finds the keychain, starting it if possible.
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

  /// Returns whether the default collection exists and is unlocked.
  func availability() async -> Availability {
    guard let collection else { return Availability(.noCollection) }
    do {
      return Availability(try await isLocked(collection, Self.interface + "Collection") ? .locked : .ready)
    } catch {
      return Availability(.failed)
    }
  }

  /// Returns whether a collection or an item is locked.
  func isLocked(_ path: String, _ interface: String) async throws(BusError) -> Bool {
    try await bus.property("Locked", of: object(path), interface, type: "b") {
      message throws(BusError) in try message.boolean()
    }.value
  }

  func object(_ path: String) -> Bus.Peer {
    Bus.Peer(name: peer.name, path: path)
  }

  /// Calls a method of the Service interface.
  func call(
    _ member: String, _ fill: (BusMessage) throws(BusError) -> Void
  ) async throws(BusError) -> BusMessage {
    try await bus.call(peer, Self.interface + "Service", member, fill)
  }

  /// Opens a session without encryption; protocol/DESKTOP.md explains why.
  ///
  /// - Returns: the session's path; it ends with the connection.
  func openSession() async throws(BusError) -> String {
    let reply = try await call("OpenSession") { message throws(BusError) in
      try message.append("plain")
      try message.append(.variant, of: "s") { () throws(BusError) in try message.append("") }
    }
    try reply.skip("v")
    return try reply.requiredText(.objectPath)
  }
}
