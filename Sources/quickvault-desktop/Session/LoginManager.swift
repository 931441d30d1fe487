import Glibc

/// logind, by the unique name of the process that answered.
struct LoginManager {
  static let service = "org.freedesktop.login1"
  static let interface = service + ".Manager"
  static let sessionInterface = service + ".Session"
  static let path = "/org/freedesktop/login1"

  let bus: Bus
  /// logind's unique name, and the manager's path.
  let peer: Bus.Peer

  /// Finds logind, starting it if possible.
  init(on bus: Bus) async throws(BusError) {
    let service = Bus.Peer(name: Self.service, path: Self.path)
    self.bus = bus
    peer = Bus.Peer(name: try await Self.preparingForSleep(service, on: bus).sender, path: Self.path)
  }

  /// Returns whether the machine is about to sleep. Subscribe to ``sleepFilter(sender:)`` first to miss nothing.
  func isPreparingForSleep() async throws(BusError) -> Bool {
    try await Self.preparingForSleep(peer, on: bus).value
  }

  private static func preparingForSleep(
    _ peer: Bus.Peer, on bus: Bus
  ) async throws(BusError) -> (value: Bool, sender: String) {
    try await bus.property("PreparingForSleep", of: peer, interface, type: "b") {
      message throws(BusError) in try message.boolean()
    }
  }

  /// Matches the signals before and after sleep.
  static func sleepFilter(sender: String) -> Subscription.Filter {
    Subscription.Filter(sender: sender, path: path, interface: interface, member: "PrepareForSleep")
  }

  /// Takes a delay inhibitor.
  ///
  /// - Returns: a descriptor; sleep is delayed until it is closed, by at most logind's InhibitDelayMaxSec.
  func delaySleep() async throws(BusError) -> Int32 {
    let reply = try await bus.call(peer, Self.interface, "Inhibit") { message throws(BusError) in
      for text in ["sleep", "QuickVault", "Lock the vault", "delay"] { try message.append(text) }
    }
    return try reply.descriptor()
  }

  /// Returns the session of a process, otherwise the one named by the environment, otherwise the user's display session;
  /// nil if there is none.
  func session(of process: Int32, environment: String?) async -> LoginSession? {
    let byProcess = await path("GetSessionByPID") { message throws(BusError) in
      try message.append(UInt32(bitPattern: process))
    }
    if let session = await session(at: byProcess) { return session }
    if let environment, !environment.isEmpty {
      let byName = await path("GetSession") { message throws(BusError) in try message.append(environment) }
      if let session = await session(at: byName) { return session }
    }
    return await session(at: await displayPath())
  }

  private func session(at path: String?) async -> LoginSession? {
    guard let path else { return nil }
    return try? await LoginSession(bus: bus, peer: Bus.Peer(name: peer.name, path: path))
  }

  private func displayPath() async -> String? {
    let user = await path("GetUser") { message throws(BusError) in try message.append(getuid()) }
    guard let user else { return nil }
    let display = try? await bus.property(
      "Display", of: Bus.Peer(name: peer.name, path: user), Self.service + ".User", type: "(so)"
    ) { message throws(BusError) in
      try message.enter(.structure, of: "so") { () throws(BusError) in
        try message.skip("s")
        return try message.requiredText(.objectPath)
      }
    }
    return display?.value == "/" ? nil : display?.value
  }

  private func path(
    _ member: String, _ fill: (BusMessage) throws(BusError) -> Void
  ) async -> String? {
    try? await bus.call(peer, Self.interface, member, fill).requiredText(.objectPath)
  }
}

/// A session of logind.
struct LoginSession {
  let bus: Bus
  let peer: Bus.Peer
  /// Such as `c1`.
  let id: String

  init(bus: Bus, peer: Bus.Peer) async throws(BusError) {
    self.bus = bus
    self.peer = peer
    id = try await bus.property("Id", of: peer, LoginManager.sessionInterface, type: "s") {
      message throws(BusError) in try message.requiredText()
    }.value
  }

  /// Returns the session's LockedHint.
  func isLocked() async throws(BusError) -> Bool {
    try await bus.property("LockedHint", of: peer, LoginManager.sessionInterface, type: "b") {
      message throws(BusError) in try message.boolean()
    }.value
  }

  /// Calls `action` each time the session locks; possibly twice.
  func observeLock(_ action: @escaping () -> Void) async throws(BusError) -> [Subscription] {
    let asked = Subscription.Filter(
      sender: peer.name, path: peer.path, interface: LoginManager.sessionInterface, member: "Lock")
    let changed = Subscription.Filter(
      sender: peer.name, path: peer.path, interface: "org.freedesktop.DBus.Properties",
      member: "PropertiesChanged", argument: LoginManager.sessionInterface)
    let byRequest = try await bus.subscribe(asked) { _ in action() }
    let byHint = try await bus.subscribe(changed) { if (try? Self.locks($0)) == true { action() } }
    return [byRequest, byHint]
  }

  /// Returns whether a PropertiesChanged signal sets LockedHint to true.
  private static func locks(_ message: BusMessage) throws(BusError) -> Bool {
    try message.skip("s")
    return try message.enter(.array, of: "{sv}") { () throws(BusError) in
      var locks = false
      try message.forEachContainer(.dictionaryEntry, of: "sv") { () throws(BusError) in
        guard try message.requiredText() == "LockedHint" else { return try message.skip("v") }
        locks = try message.enter(.variant, of: "b") { () throws(BusError) in try message.boolean() }
      }
      return locks
    }
  }
}
