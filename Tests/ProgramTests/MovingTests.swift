import Foundation
import TestSamples
import TestSupport
import Testing

/// Import and export of a file as large as after years of use.
@Suite("Moving in and out", .serialized) struct MovingTests {
  private static let columns = [
    "title", "type", "group", "tags", "name", "phone", "province", "city", "district", "address",
    "postalCode",
    "companyName", "taxId", "bankName", "bankAccount", "notes", "text",
  ]

  private static func table(_ count: Int) -> Data {
    let rows = (0..<count).map { number -> String in
      let card = SampleCard(number: number)
      let values = Dictionary(card.fields, uniquingKeysWith: { first, _ in first })
      let own = [
        "title": "\(card.title) \(number)", "type": card.type, "group": card.group,
        "tags": card.tags.joined(separator: ","),
      ]
      return columns.map { column in
        let value = own[column] ?? values[column] ?? ""
        return "\"" + value.replacingOccurrences(of: "\"", with: "\"\"") + "\""
      }.joined(separator: ",")
    }
    return Data(([columns.joined(separator: ",")] + rows).joined(separator: "\n").utf8)
  }

  @Test("R14 4,000 cards are imported, exported as JSON that only the owner can read, and imported elsewhere")
  func thereAndBack() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let (source, target) = (directory.appending("cards.csv"), directory.appending("cards.json"))
      try Self.table(4_000).write(to: URL(filePath: source))
      let client = try ProgramClient(vault: directory.appending("one.quickvault"))
      try client.createVault()
      let report = try client.call("vault/import", #"{"path":"\#(source)"}"#)
      try expect(report["imported"] as? Int == 4_000, "all are imported: \(report["items"] ?? "")")
      let again = try client.call("vault/import", #"{"path":"\#(source)"}"#)
      try expect(again["duplicates"] as? Int == 4_000, "none is imported twice")
      let written = try client.call(
        "vault/export", #"{"path":"\#(target)","format":"json","password":"\#(ProgramClient.password)"}"#)
      try expect(written["cards"] as? Int == 4_000, "all are written")
      let attributes = try FileManager.default.attributesOfItem(atPath: target)
      try expect(attributes[.posixPermissions] as? Int == 0o600, "only the owner reads it")
      try expect(attributes[.size] as? Int == written["size"] as? Int, "its size")
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
      try expect(!names.contains { $0.hasPrefix(".quickvault") }, "nothing else was left: \(names)")
      try expect(client.call("vault/verify")["integrity"] as? String == "intact", "the vault is whole")
      _ = try client.program.finish()

      let other = try ProgramClient(vault: directory.appending("two.quickvault"))
      try other.createVault()
      let back = try other.call("vault/import", #"{"path":"\#(target)"}"#)
      try expect(back["imported"] as? Int == 4_000, "all come back")
      let list = directory.appending("two.json")
      try other.call(
        "vault/export", #"{"path":"\#(list)","format":"json","password":"\#(ProgramClient.password)"}"#)
      let (left, right) = (try Self.cards(target), try Self.cards(list))
      try expect(left == right, "and are equal but for ids")
    }
  }

  /// The cards of an export, each as text without its id, in an order of their own.
  private static func cards(_ path: String) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
    guard let cards = (object as? [String: Any])?["cards"] as? [[String: Any]] else {
      throw Failure("no cards")
    }
    return try cards.map { card in
      var card = card
      card["id"] = nil
      let data = try JSONSerialization.data(withJSONObject: card, options: .sortedKeys)
      return String(decoding: data, as: UTF8.self)
    }.sorted()
  }

  @Test("A cancelled import stores nothing, and a cancelled export leaves no file")
  func cancelled() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let (source, target) = (directory.appending("cards.csv"), directory.appending("cards.csv.out"))
      try Self.table(3_000).write(to: URL(filePath: source))
      let client = try ProgramClient(vault: directory.appending("one.quickvault"))
      try client.createVault()
      let answer = try Self.cancelled("vault/import", #"{"path":"\#(source)"}"#, by: client.program.channel)
      try expect(answer.contains(#""code":-32800"#), "cancelled: \(answer.prefix(300))")
      try expect(client.call("card/list")["total"] as? Int == 0, "nothing is stored")
      try client.call("vault/import", #"{"path":"\#(source)"}"#)
      let parameters = #"{"path":"\#(target)","format":"csv","password":"\#(ProgramClient.password)"}"#
      let other = try Self.cancelled("vault/export", parameters, by: client.program.channel)
      try expect(other.contains(#""code":-32800"#), "cancelled: \(other.prefix(300))")
      try expect(!FileManager.default.fileExists(atPath: target), "nothing is written")
    }
  }

  /// Sends a request and cancels it in the same write.
  private static func cancelled(_ method: String, _ parameters: String, by channel: Channel) throws -> String
  {
    let request = #"{"jsonrpc":"2.0","id":"c","method":"\#(method)","params":\#(parameters)}"#
    let cancellation = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"c"}}"#
    try channel.write(Array((request + "\n" + cancellation + "\n").utf8))
    var answer = ""
    repeat { answer = try channel.message() } while !answer.contains(#""id":"c""#)
    return answer
  }
}
