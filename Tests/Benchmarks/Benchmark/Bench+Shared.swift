import Glibc
import Wire

/// One unlock for several programs: what the relay and the other clients cost.
extension Bench {
  /// How many clients there are at a lock.
  private static let clients = 8

  func measureShared() throws {
    let service = try SharedVault(server: server, vault: vault, directory: directory)
    let (first, direct) = (try service.client(), try Client(server: server, vault: vault))
    try direct.initialize()
    for client in [first, direct] { try unlock(client) }
    // Without a terminal, each client would have to be admitted.
    _ = try first.ask("settings/update", ["sharedUnlock": "always"])
    try measureRelay(first, direct)
    try measureSecondClient(service, first)
    try measureSharedLock(service, first, direct)
    for client in [first, direct] { try client.end() }
  }

  private func measureRelay(_ relayed: Client, _ direct: Client) throws {
    let summaries = try effort.measure {
      [try relayed.time("vault/status"), try direct.time("vault/status")]
    }
    results.add(.relayRoundTrip, count, summaries[0], floor: (.direct, summaries[1]))
  }

  /// Measures the start of a client until it has a card; the floor is a C program that starts and echoes a frame.
  private func measureSecondClient(_ service: SharedVault, _ first: Client) throws {
    guard case .array(let cards)? = try first.ask("card/list", ["limit": 1])["items"],
      let id = cards.first?["id"]
    else { throw BenchmarkError.wrong("card/list without a card") }
    let summaries = try effort.measure {
      let start = now()
      let second = try service.client()
      _ = try second.ask("card/get", ["id": id])
      let end = now()
      try second.end()

      let echoStart = now()
      let echo = try Client(Peer(echo))
      _ = try echo.exchange(echo.request("initialize", Client.introduction))
      let echoReady = now()
      try echo.close()
      return [end - start, echoReady - echoStart]
    }
    results.add(.secondClient, count, summaries[0], floor: (.echoStart, summaries[1]))
  }

  /// Measures a lock until the next request is answered; the floor is that of a process with one client.
  private func measureSharedLock(_ service: SharedVault, _ first: Client, _ direct: Client) throws {
    let others = try (1..<Self.clients).map { _ in try service.client() }
    let summaries = try effort.measure {
      let times = try [first, direct].map { client in
        try unlock(client)
        let start = now()
        _ = try client.ask("session/lock")
        _ = try client.ask("vault/status")
        return now() - start
      }
      // They read what they were told.
      for other in others { _ = try other.ask("vault/status") }
      return times
    }
    for other in others { try other.end() }
    results.add(.sharedLock, count, summaries[0], floor: (.lockAlone, summaries[1]))
  }
}

/// A vault in a service of its own.
private struct SharedVault {
  private let server: String
  private let vault: String
  private let environment: [String: String]

  init(server: String, vault: String, directory: String) throws {
    (self.server, self.vault) = (server, vault)
    let home = try absolute(directory)
    try Files.makeDirectory(home + "/shared")
    environment = ["HOME": home, "XDG_RUNTIME_DIR": home + "/shared", "XDG_STATE_HOME": home]
  }

  /// A client behind a relay.
  func client() throws -> Client {
    let client = try Client(Peer(server, ["--shared", "--vault", vault], environment: environment))
    try client.initialize()
    return client
  }
}
