import TestSamples
import Wire

extension Bench {
  private static let importedCards = 10_000

  /// Measures the durable import of 10,000 cards from QuickVault JSON into the vault, if the server has the method.
  func measureImport() throws {
    let path = "\(directory)/cards.json"
    let cards = (0..<Self.importedCards).map { SampleCard(number: count + $0).parameters.text }
    try Files.write("{\"quickvault\":1,\"cards\":[\n" + cards.joined(separator: ",\n") + "]}\n", to: path)
    try withUnlocked { client in
      guard try client.methods().contains("vault/import") else { return }
      var effort = Effort.slow
      effort.mostRounds = 3
      let summaries = try effort.measure {
        let exchange = try client.exchange(
          client.request("vault/import", ["path": .string(path), "duplicates": "keep"]))
        let imported = (try? JSONReader.read(exchange.body))?["result"]?["imported"]?.integer
        guard imported == Self.importedCards else {
          throw BenchmarkError.refused(answer: String(decoding: exchange.body.prefix(500), as: UTF8.self))
        }
        return [exchange.nanoseconds]
      }
      self.results.add(.importing, self.count, summaries[0])
      self.results.add(.memoryImported, self.count, Summary(once: try Memory(of: client.process).peak))
    }
  }
}
