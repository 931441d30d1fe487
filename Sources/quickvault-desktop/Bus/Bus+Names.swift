extension Bus {
  /// Returns the unique name that owns a well-known name, without starting a service.
  func owner(of name: String) async throws(BusError) -> String {
    let bus = Peer(name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus")
    let reply = try await call(bus, "org.freedesktop.DBus", "GetNameOwner") { message throws(BusError) in
      try message.append(name)
    }
    return try reply.requiredText()
  }
}
