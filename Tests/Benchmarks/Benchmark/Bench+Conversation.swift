import CFloors
import Wire

extension Bench {
  /// Measures start to `initialize` answered; the floor is a C program that starts and echoes the same frame.
  func measureStart() throws {
    let summaries = try effort.measure {
      let start = now()
      let client = try Client(server: server, vault: vault)
      _ = try client.ask("initialize", Client.introduction)
      let ready = now()
      try client.end()

      let echoStart = now()
      let echo = try Client(Peer(echo))
      _ = try echo.exchange(echo.request("initialize", Client.introduction))
      let echoReady = now()
      try echo.close()
      return [ready - start, echoReady - echoStart]
    }
    results.add(.start, count, summaries[0], floor: (.echoStart, summaries[1]))
  }

  /// Measures small requests; the floor is a C program that echoes the same frame.
  func measureRoundTrips(_ client: Client) throws {
    let echo = try Client(Peer(echo))
    let summaries = try effort.measure {
      [
        try client.time("vault/status"),
        try client.exchange(client.request("benchmark/unknown")).nanoseconds,
        try echo.exchange(echo.request("vault/status")).nanoseconds,
      ]
    }
    try echo.close()
    results.add(.roundTrip, count, summaries[0], floor: (.echo, summaries[2]))
    results.add(.unknownMethod, count, summaries[1], floor: (.echo, summaries[2]))
  }

  /// Measures a small request between two cores, one of which sleeps while the other works.
  func measureRoundTripApart(_ client: Client) throws {
    let echo = try Client(Peer(echo))
    let summaries = try effort.measure {
      [
        try client.time("vault/status"),
        try echo.exchange(echo.request("vault/status")).nanoseconds,
      ]
    }
    try echo.close()
    results.add(.roundTripApart, count, summaries[0], floor: (.echoApart, summaries[1]))
  }

  /// Measures locking until the next request is answered, and unlocking less the key derivation, which this process repeats
  /// in the same round.
  func measureLocking() throws {
    let client = try Client(server: server, vault: vault)
    try client.initialize()
    let summaries = try effort.measure {
      let unlocking = try unlock(client)
      let derivation = try checked(.derivation, floor_pbkdf2(UInt(VaultFiles.iterations)))
      let start = now()
      _ = try client.ask("session/lock")
      _ = try client.ask("vault/status")
      return [unlocking - derivation, derivation, now() - start]
    }
    try client.end()
    results.add(.unlock, count, summaries[0])
    results.add(.derivation, count, summaries[1])
    results.add(.lock, count, summaries[2])
  }

  /// Measures memory after unlocking, and after a search of all cards.
  func measureMemory() throws {
    try withUnlocked { client in
      let unlocked = try Memory(of: client.process)
      _ = try client.ask("card/search", ["query": "zqxjkv"])
      let searched = try Memory(of: client.process)
      let before = Summary(once: unlocked.resident)
      self.results.add(.memoryUnlocked, self.count, before)
      self.results.add(
        .memorySearched, self.count, Summary(once: searched.resident), floor: (.before, before))
      self.results.add(.memoryPeak, self.count, Summary(once: searched.peak))
      self.notePSS(unlocked, searched)
    }
  }

  private func notePSS(_ unlocked: Memory, _ searched: Memory) {
    if let before = unlocked.proportional, let after = searched.proportional {
      results.notes.append(
        "\(grouped(count)) cards: PSS \(Quantity.bytes(Double(before))) unlocked, \(Quantity.bytes(Double(after))) after a search"
      )
    } else {
      results.notes.append(
        "\(grouped(count)) cards: PSS is shown to root alone, the process not being dumpable")
    }
  }
}
