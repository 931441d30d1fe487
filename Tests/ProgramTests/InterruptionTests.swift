import Foundation
import TestSupport
import Testing

/// Interrupts long work, and checks the answers and notifications.
@Suite("Interrupted work") struct InterruptionTests {
  @Test("R17 A cancelled export leaves no file, and one that wrote its file is answered")
  func export() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let client = try ProgramClient(vault: directory.appending("vault.quickvault"))
      try client.createVault()
      let cards = (0..<1_280).map { "title \($0),text\n" }.joined()
      try client.call("vault/import", with: ["data": Data("title,text\n\(cards)".utf8).base64EncodedString()])
      var isThere: [String: Bool] = ["vault.quickvault": true]
      for round in 0..<12 {
        let name = "\(round).json"
        isThere[name] = try !Self.isCancelledAtLast(round, directory.appending(name), client.program.channel)
      }
      try expect(try client.program.finish().status == 0, "it ends well")
      let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
      try expect(names == isThere.filter(\.value).keys.sorted(), "\(names): \(isThere)")
    }
  }

  /// Cancels an export when the last card is written, and all that is left is to make the file durable and name it.
  ///
  /// - Returns: whether the answer says that it was cancelled.
  private static func isCancelledAtLast(_ round: Int, _ path: String, _ channel: Channel) throws -> Bool {
    let token = "\"export-\(round)\""
    try channel.send(
      #"{"jsonrpc":"2.0","id":\#(token),"method":"vault/export","params":{"path":"\#(path)","format":"json","#
        + #""password":"\#(ProgramClient.password)","progressToken":\#(token)}}"#)
    while true {
      let message = try channel.message()
      if message.contains("\"id\":\(token)") { return message.contains("-32800") }
      guard message.contains(#""percentage":100"#) else { continue }
      try channel.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(token)}}"#)
    }
  }

  @Test("R12 A failed repair after which the vault cannot be opened locks it and notifies the client")
  func repair() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      try client.createNote("note")
      // As long as another process has the file open, closing it puts no log into it, and the damage stays.
      let other = try ProgramClient(vault: vault)
      try other.unlock()
      try client.call("card/list")
      let file = try FileHandle(forUpdating: URL(filePath: vault))
      try file.write(contentsOf: Data(count: 100))
      try file.close()
      try expect(try client.kindOfError("vault/repair") == "vault.notAVault", "it is no vault any more")
      try expect(try client.kindOfError("card/list") == "vault.locked", "it is locked")
      try expect(
        client.notifications.contains("session/didLock"), "the client is told: \(client.notifications)")
    }
  }
}
