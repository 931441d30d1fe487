import CFloors
import Wire

/// The measurements for one vault.
///
/// Each method measures a group of works and adds them to ``results``.
final class Bench {
  /// Works that need a method which older servers do not have.
  static let conditional = [
    (
      work: "attachment of 10 MiB in and out, by path and by base64", method: "attachment/add",
      isMeasured: true
    ),
    (
      work: "watermark on a 12-megapixel JPEG, and its thumbnail", method: "attachment/setWatermark",
      isMeasured: true
    ),
    (work: "import of 10,000 cards", method: "vault/import", isMeasured: true),
    (work: "synchronisation", method: "sync/enable", isMeasured: true),
  ]

  let count: Int
  let server: String
  let echo: String
  /// The copy of the vault that this run may change.
  let vault: String
  let directory: String
  let effort: Effort
  var results = Results()

  init(count: Int, server: String, echo: String, vault: String, directory: String, effort: Effort) {
    self.count = count
    self.server = server
    self.echo = echo
    self.vault = vault
    self.directory = directory
    self.effort = effort
  }

  /// Measures everything; what adds cards comes last.
  func run() throws {
    try measureStart()
    try measureMemory()
    try measureLocking()
    try measureClients()
    try withUnlocked { client in
      try self.measureRoundTripApart(client)
      try self.onOneCore(client) {
        try self.measureRoundTrips(client)
        try self.measureReading(client)
      }
      try self.measureSearch(client)
      try self.onOneCore(client) { try self.measureWriting(client) }
    }
    try measureSync()
    try measureImport()
  }

  /// Measures what a user of the command line or of an editor waits for.
  func measureClients() throws {
    try measureEditorClients()
    try measureKeyStroke()
    try measureCommandLine()
    try measureShared()
  }

  /// Runs `body` with a server that has unlocked the vault.
  func withUnlocked(_ body: (Client) throws -> Void) throws {
    let client = try Client(server: server, vault: vault)
    try client.initialize()
    try unlock(client)
    try body(client)
    try client.end()
  }

  /// Runs `body` with this process, the server's main thread and the floors that it starts on one core.
  ///
  /// On a virtual machine, waking a sleeping core takes longer than a small request, and cores fall asleep during a
  /// commit. This excludes that time for server and floor alike.
  func onOneCore(_ client: Client, _ body: () throws -> Void) throws {
    defer { for process in [0, client.process] { _ = floor_release_cores(process) } }
    // This process first: the server moves to its core.
    for process in [0, client.process] where floor_hold_on_one_core(process) != 0 {
      throw BenchmarkError.floor("holding processes on one core")
    }
    try body()
  }

  /// Unlocks the vault.
  ///
  /// - Returns: the time in nanoseconds.
  @discardableResult func unlock(_ client: Client) throws -> Int64 {
    try client.time("session/unlock", ["password": .string(VaultFiles.password)])
  }

  /// Checks the time of a floor.
  ///
  /// - Throws: ``BenchmarkError/floor(_:)`` if it is negative, which means that the floor failed.
  func checked(_ kind: Floor, _ nanoseconds: Int64) throws -> Int64 {
    guard nanoseconds >= 0 else { throw BenchmarkError.floor(kind.title) }
    return nanoseconds
  }
}
