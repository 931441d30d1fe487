import CFloors
import TestSamples
import Wire

extension Bench {
  /// The size in bytes at which SQLite overwrites the write-ahead log from its beginning: the checkpoint after 1,000
  /// pages of 4 KiB.
  private static let fullLog = 1_000 * 4_096

  /// Measures durable changes; the floor is a commit of one row of the same size to a table of as many rows.
  ///
  /// A commit that extends the log costs the file system more than one that overwrites it, so the first commits of a
  /// session are measured apart from those after the log has its full size. Floor and server are in the same phase.
  func measureWriting(_ client: Client) throws {
    let path = "\(directory)/floor.sqlite"
    guard let table = unsafe floor_table_make(path, count, try averageSealedCard()) else {
      throw BenchmarkError.floor("making a table of \(count) rows")
    }
    defer { unsafe floor_table_free(table) }
    var number = count
    func commit() throws -> Int64 { try checked(.commit, unsafe floor_table_commit(table)) }
    func create() throws -> (nanoseconds: Int64, id: JSON) {
      number += 1
      return try self.create(number, client)
    }

    // The one that comes first in a round comes second in the next: a commit may be held up by the one before it.
    func createBesideCommit() throws -> (creation: (nanoseconds: Int64, id: JSON), commit: Int64) {
      if number.isMultiple(of: 2) {
        let commit = try commit()
        return (try create(), commit)
      }
      let creation = try create()
      return (creation, try commit())
    }

    var early = effort
    early.mostRounds = 60
    let first = try early.measure {
      let (creation, commit) = try createBesideCommit()
      return [creation.nanoseconds, commit]
    }
    guard Files.size(vault + "-wal") < Self.fullLog, Files.size(path + "-wal") < Self.fullLog else {
      throw BenchmarkError.wrong("a log that was to grow is full")
    }
    results.add(.createEarly, count, first[0], floor: (.commitEarly, first[1]))

    while Files.size(path + "-wal") < Self.fullLog { _ = try commit() }
    while Files.size(vault + "-wal") < Self.fullLog { _ = try create() }
    let summaries = try effort.measure {
      let (card, commit) = try createBesideCommit()
      return [
        card.nanoseconds, commit,
        try client.time("card/update", ["id": card.id, "title": "changed"]),
        try client.time("card/delete", ["id": card.id]),
      ]
    }
    for (work, index) in [(Work.create, 0), (.update, 2), (.delete, 3)] {
      results.add(work, count, summaries[index], floor: (.commit, summaries[1]))
    }
  }

  private func create(_ number: Int, _ client: Client) throws -> (nanoseconds: Int64, id: JSON) {
    let exchange = try client.exchange(
      client.request("card/create", SampleCard(number: number).parameters))
    guard let id = (try? JSONReader.read(exchange.body))?["result"]?["card"]?["id"] else {
      throw BenchmarkError.refused(answer: String(decoding: exchange.body, as: UTF8.self))
    }
    return (exchange.nanoseconds, id)
  }

  private func averageSealedCard() throws -> Int {
    guard let records = unsafe floor_records_load(vault) else {
      throw BenchmarkError.floor("reading the sealed cards")
    }
    defer { unsafe floor_records_free(records) }
    return unsafe floor_records_bytes(records) / max(floor_records_count(records), 1)
  }
}
