import CFloors
import TestSamples
import Wire

extension Bench {
  /// Measures reading a card and pages of the list; the floor is a C program that echoes the request.
  func measureReading(_ client: Client) throws {
    let echo = try Client(Peer(echo))
    let (ids, cursor) = try walkList(client)
    var random = SeededGenerator(seed: 1)
    let last: JSON = cursor.map { ["limit": 50, "cursor": .string($0)] } ?? ["limit": 50]
    let summaries = try effort.measure {
      let id: JSON = ["id": .string(random.one(of: ids) ?? "")]
      return [
        try client.time("card/get", id),
        try client.time("card/list"),
        try client.time("card/list", last),
        try echo.exchange(echo.request("card/get", id)).nanoseconds,
      ]
    }
    try echo.close()
    for (work, summary) in zip([Work.get, .firstPage, .lastPage], summaries) {
      results.add(work, count, summary, floor: (.echo, summaries[3]))
    }
  }

  /// Returns all IDs in the order of the list, and the cursor of the last page of 50.
  private func walkList(_ client: Client) throws -> (ids: [String], cursor: String?) {
    var ids: [String] = []
    var cursor: String?
    while true {
      let limit = count - ids.count > 1_050 ? 1_000 : 50
      var parameters: JSON = ["limit": .integer(limit)]
      if let cursor { parameters = ["limit": .integer(limit), "cursor": .string(cursor)] }
      let page = try client.ask("card/list", parameters)
      guard case .array(let items)? = page["items"] else {
        throw BenchmarkError.wrong("a page without items")
      }
      ids += items.compactMap { $0["id"]?.string }
      guard let next = page["nextCursor"]?.string else { break }
      cursor = next
    }
    guard ids.count == count, Set(ids).count == count else {
      throw BenchmarkError.wrong("the list has \(ids.count) cards of \(count)")
    }
    return (ids, cursor)
  }

  /// Measures searches; the floors are AES-GCM over the same encrypted cards, a SELECT of them, and memcpy.
  func measureSearch(_ client: Client) throws {
    guard let records = unsafe floor_records_load(vault) else {
      throw BenchmarkError.floor("reading the sealed cards")
    }
    defer { unsafe floor_records_free(records) }
    let searches = Searches(cards: count)
    let kinds: [(Work, Searches.Query)] = [
      (.searchNothing, searches.nothing), (.searchOne, searches.one), (.searchMany, searches.many),
      (.searchChinese, searches.chinese), (.searchQualifier, searches.qualifier),
    ]
    for (work, query) in kinds { try check(query, work, client) }
    let summaries = try effort.measure {
      // The floors leave the caches full of what is theirs, and one that is not counted fills them with the server's.
      _ = try client.time("card/search", ["query": .string(searches.nothing.text)])
      return try kinds.map { try client.time("card/search", ["query": .string($0.1.text)]) } + [
        try checked(.decryption, unsafe floor_records_decrypt(records)),
        try checked(.selection, unsafe floor_records_select(records)),
        try checked(.copying, unsafe floor_records_copy(records)),
      ]
    }
    for (kind, summary) in zip(kinds, summaries) {
      results.add(kind.0, count, summary, floor: (.decryption, summaries[5]))
    }
    results.add(.selection, count, summaries[6])
    results.add(.copying, count, summaries[7])
    results.notes.append(
      "\(grouped(count)) cards: \(Quantity.bytes(Double(unsafe floor_records_bytes(records)))) sealed; hits: "
        + kinds.map { "\($0.1.hits) of \($0.1.text)" }.joined(separator: ", "))
  }

  private func check(_ query: Searches.Query, _ work: Work, _ client: Client) throws {
    let total = try client.ask("card/search", ["query": .string(query.text)])["total"]?.integer
    guard total == query.hits else {
      throw BenchmarkError.wrong("\(work.title): \(total ?? -1) hits of \(query.hits)")
    }
  }
}
