extension Bus {
  /// The unique name of who has a well-known one; nobody is started.
  func owner(of name: String) async throws(BusError) -> String {
    let bus = Peer(name: "org.freedesktop.DBus", path: "/org/freedesktop/DBus")
    let reply = try await call(bus, "org.freedesktop.DBus", "GetNameOwner") { message throws(BusError) in
      try message.append(name)
    }
    return try reply.requiredText()
  }
}
