import CFloors
import JSONRPC

/// One run over one vault: everything that is measured with so many cards.
///
/// Each member measures one group of works into ``results``. What the server learns to do later, such as attachments, gets a
/// member of its own here, and a mark in ``conditional``.
final class Bench {
  /// Works of the design that older servers cannot do, or that nothing here measures yet, each with a method that it needs.
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
  ]

  let count: Int
  let server: String
  let echo: String
  /// The copy that this run works on.
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

  /// Measures everything, in the order in which the least disturbs the next: what adds cards comes last.
  func run() throws {
    try measureStart()
    try measureMemory()
    try measureLocking()
    try withUnlocked { client in
      try self.measureRoundTripApart(client)
      try self.onOneCore(client) {
        try self.measureRoundTrips(client)
        try self.measureReading(client)
      }
      try self.measureSearch(client)
      try self.onOneCore(client) { try self.measureWriting(client) }
    }
    try measureImport()
  }

  /// A server with the vault unlocked, until the body returns.
  func withUnlocked(_ body: (Client) throws -> Void) throws {
    let client = try Client(server: server, vault: vault)
    try client.initialize()
    try unlock(client)
    try body(client)
    try client.end()
  }

  /// Holds this process, the server's first thread, and the floors that are started meanwhile on one core.
  ///
  /// On a virtual machine, waking a core that has fallen asleep takes longer than a small request, and a commit takes long
  /// enough for every core to fall asleep. Server and floor are measured alike, without it.
  func onOneCore(_ client: Client, _ body: () throws -> Void) throws {
    defer { for process in [0, client.process] { _ = floor_release_cores(process) } }
    // This process first: the other goes where it is.
    for process in [0, client.process] where floor_hold_on_one_core(process) != 0 {
      throw BenchmarkError.floor("holding processes on one core")
    }
    try body()
  }

  /// Unlocks the vault.
  ///
  /// - Returns: how long it took, in nanoseconds.
  @discardableResult func unlock(_ client: Client) throws -> Int64 {
    try client.time("session/unlock", ["password": .string(VaultFiles.password)])
  }

  /// The time of a floor's work.
  ///
  /// - Throws: ``BenchmarkError/floor(_:)`` where it is negative, which means that the work failed.
  func checked(_ kind: Floor, _ nanoseconds: Int64) throws -> Int64 {
    guard nanoseconds >= 0 else { throw BenchmarkError.floor(kind.title) }
    return nanoseconds
  }
}
