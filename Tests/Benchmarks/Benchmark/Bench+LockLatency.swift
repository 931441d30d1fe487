import Glibc
import Wire

/// How long a lock waits for a request, at the worst moment that was tried.
struct LockLatency {
  /// The longest wait to accept, in nanoseconds.
  static let target = 50_000_000.0

  let method: String
  /// The time of the request by itself, in nanoseconds.
  let alone: Int64
  let worst: Int64
}

/// Measures how long `session/lock` waits for each method that may take long, with the worst input that is known: a vault whose
/// cards have the largest texts, and few words that are found everywhere.
struct LockLatencies {
  private static let cards = 24
  /// Three texts of the greatest length, in characters of three bytes, are as much as a card may hold.
  private static let text = String(repeating: "的门", count: 50_000)

  let server: String
  let directory: String

  func measure() throws -> [LockLatency] {
    let vault = directory + "/latency.quickvault"
    let first = try makeVault(vault)
    try Files.copy(vault, to: directory + "/copy.quickvault")
    let client = try Client(server: server, vault: vault)
    try client.initialize()
    try unlock(client)
    _ = try client.ask(
      "vault/export",
      [
        "path": .string(directory + "/cards.json"), "format": "json", "overwrite": true,
        "password": .string(VaultFiles.password),
      ])
    let latencies = try requests(first).map { try measure($0.method, $0.parameters, client) }
    try client.end()
    return latencies
  }

  /// Locks at several moments of the request, which is begun anew each time.
  private func measure(_ method: String, _ parameters: () -> JSON, _ client: Client) throws -> LockLatency {
    let alone = try client.time(method, parameters())
    var worst: Int64 = 0
    for part in 0..<12 {
      worst = max(
        worst, try client.timeLock(afterNanoseconds: alone * Int64(part) / 10, of: method, parameters()))
      try unlock(client)
    }
    return LockLatency(method: method, alone: alone, worst: worst)
  }

  private func requests(_ first: JSON) -> [(method: String, parameters: () -> JSON)] {
    var count = 0
    func path(_ kind: String) -> JSON {
      count += 1
      return .string("\(directory)/\(kind)-\(count)")
    }
    let password = JSON.string(VaultFiles.password)
    return [
      ("vault/status", { [:] }), ("card/get", { ["id": first] }), ("card/copy", { ["id": first] }),
      ("card/list", { ["limit": 1_000, "tag": "none"] }),
      ("card/search", { ["query": "的门 门的 -的的", "limit": 1_000] }), ("tag/list", { [:] }),
      ("card/conflicts", { [:] }),
      ("card/setPinned", { ["id": first, "pinned": true] }),
      ("card/create", { Self.card(Self.cards) }),
      ("card/update", { ["id": first, "title": path("title"), "tags": ["a", path("tag")]] }),
      ("vault/verify", { [:] }),
      ("vault/export", { ["path": path("export"), "format": "json", "password": password] }),
      ("vault/backup", { ["path": path("backup")] }),
      ("vault/import", { ["path": .string(directory + "/cards.json"), "duplicates": "keep"] }),
      ("vault/merge", { ["path": .string(directory + "/copy.quickvault"), "password": password] }),
      ("vault/repair", { ["password": password] }),
    ]
  }

  private static func card(_ number: Int) -> JSON {
    [
      "title": .string("card \(number)"), "group": "personal", "type": "text",
      "tags": [.string("t\(number)")],
      "fields": ["text": .string(text)],
      "extraFields": [["label": "a", "value": .string(text)], ["label": "b", "value": .string(text)]],
    ]
  }

  /// - Returns: the first card's identifier.
  private func makeVault(_ path: String) throws -> JSON {
    let client = try Client(server: server, vault: path)
    try client.initialize()
    _ = try client.ask(
      "vault/create",
      [
        "password": .string(VaultFiles.password),
        "kdf": ["algorithm": "pbkdf2-hmac-sha256", "iterations": .integer(VaultFiles.iterations)],
      ])
    let cards = try (0..<Self.cards).map { try client.ask("card/create", Self.card($0)) }
    try client.end()
    guard let first = cards.first?["card"]?["id"] else {
      throw BenchmarkError.wrong("card/create without a card")
    }
    return first
  }

  private func unlock(_ client: Client) throws {
    _ = try client.ask("session/unlock", ["password": .string(VaultFiles.password)])
  }
}

extension Client {
  /// Sends a request and, after a time, `session/lock`. The request may fail.
  ///
  /// - Returns: the nanoseconds from the second request to its answer.
  fileprivate func timeLock(
    afterNanoseconds delay: Int64, of method: String, _ parameters: JSON
  ) throws -> Int64 {
    try send(request(method, parameters))
    usleep(UInt32(clamping: delay / 1_000))
    return try time("session/lock")
  }
}
