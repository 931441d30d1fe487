import CFloors
import Wire

/// Two machines that synchronise over a folder.
extension Bench {
  /// How many cards another machine has changed.
  private static let changes = 1_000

  /// Measures publishing a change, applying those of another machine, and joining.
  func measureSync() throws {
    let place = try absolute(directory) + "/sync"
    try Files.remove(place)
    try Files.makeDirectory(place)
    // The machines that join stay in their folder, and a further one makes the others slower.
    if let published = try enable(place, "published") {
      try published.client.end()
      try measureJoining(place, published.folder)
    }
    if let first = try enable(place, "first") {
      let second = place + "/second.quickvault"
      try join(second, first.folder).end()
      try measurePublishing(first.client, place + "/folder-first")
      try measureApplying(first.client, second)
      try first.client.end()
    }
    try Files.remove(place)
  }

  /// Synchronises a copy of the vault over a folder of its own.
  ///
  /// - Returns: nil if the server cannot synchronise.
  private func enable(_ place: String, _ name: String) throws -> (client: Client, folder: JSON)? {
    let (path, folder) = ("\(place)/\(name).quickvault", "\(place)/folder-\(name)")
    try Files.makeDirectory(folder)
    try Files.copy(vault, to: path)
    let client = try Client(server: server, vault: path)
    try client.initialize()
    guard try client.methods().contains("sync/enable") else {
      try client.end()
      return nil
    }
    try unlock(client)
    _ = try client.ask("sync/enable", ["folder": .string(folder)])
    return (client, .string(folder))
  }

  /// Measures a small change until it is published, and what it adds to the folder; the floor is the change alone.
  private func measurePublishing(_ client: Client, _ folder: String) throws {
    let ids = try identifiers(1, client)
    let card = try client.ask("card/get", ["id": ids[0]]).utf8.count
    let segments = folder + "/*/*/changes/*/*"
    var number = 0
    let summaries = try effort.measure {
      number += 1
      let changing = try client.time("card/update", ["id": ids[0], "title": .string("changed \(number)")])
      let before = Files.size(matching: segments)
      let publishing = try client.time("sync/now")
      let published = Files.size(matching: segments) - before
      return [publishing, changing, Int64(published - card)]
    }
    results.add(.publish, count, summaries[0], floor: (.change, summaries[1]))
    results.add(.publishedSize, count, summaries[2])
  }

  /// Measures from the unlock of a machine until it has the changes that another has published.
  private func measureApplying(_ first: Client, _ path: String) throws {
    let ids = try identifiers(min(Self.changes, count), first)
    var number = 0
    let summaries = try Effort.slow.measure {
      number += 1
      for start in stride(from: 0, to: ids.count, by: 16) {
        let part = ids[start..<min(start + 16, ids.count)]
        try first.ask(
          all: part.map { ("card/update", ["id": $0, "title": .string("changed again \(number)")]) })
      }
      _ = try first.ask("sync/now")
      let second = try Client(server: server, vault: path)
      try second.initialize()
      try unlock(second)
      let time = try second.time("sync/now")
      try second.end()
      return [time]
    }
    results.add(.apply, count, summaries[0])
  }

  /// Measures joining less the key derivation, which this process repeats in the same round.
  private func measureJoining(_ place: String, _ folder: JSON) throws {
    var number = 0
    let summaries = try Effort.slow.measure {
      number += 1
      let path = "\(place)/joined-\(number).quickvault"
      let start = now()
      let client = try join(path, folder)
      let end = now()
      try client.end()
      return [end - start - (try checked(.derivation, floor_pbkdf2(UInt(VaultFiles.iterations))))]
    }
    results.add(.join, count, summaries[0])
  }

  private func join(_ path: String, _ folder: JSON) throws -> Client {
    let client = try Client(server: server, vault: path)
    try client.initialize()
    _ = try client.ask("sync/join", ["folder": folder, "password": .string(VaultFiles.password)])
    return client
  }

  private func identifiers(_ count: Int, _ client: Client) throws -> [JSON] {
    guard case .array(let cards)? = try client.ask("card/list", ["limit": .integer(count)])["items"] else {
      throw BenchmarkError.wrong("card/list without cards")
    }
    let ids = cards.compactMap { $0["id"] }
    guard ids.count == count else { throw BenchmarkError.wrong("\(ids.count) of \(count) cards") }
    return ids
  }
}
