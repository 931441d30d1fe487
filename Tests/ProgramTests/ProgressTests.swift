import Foundation
import TestSupport
import Testing

@Suite("Progress of long work") struct ProgressTests {
  @Test("R17 Every long method reports progress, on whatever thread it works, and is answered")
  func everyLongMethod() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      try client.createNote("note")
      let password = ProgramClient.password
      let table = Data("title,text\ndoor,1984\n".utf8).base64EncodedString()
      let requests: [(method: String, parameters: [String: Any])] = [
        ("vault/verify", [:]),
        ("vault/backup", ["path": directory.appending("backup.quickvault")]),
        ("vault/merge", ["path": directory.appending("backup.quickvault"), "password": password]),
        ("vault/import", ["data": table]),
        (
          "vault/export",
          ["path": directory.appending("cards.json"), "format": "json", "password": password]
        ),
      ]
      for (method, parameters) in requests {
        let before = client.notifications.count
        try client.call(method, with: parameters.merging(["progressToken": method]) { $1 })
        let progress = client.notifications[before...].count { $0 == "$/progress" }
        try expect(progress >= 2, "\(method): a beginning and an end, \(progress) notifications")
      }
      try expect(try client.program.finish().status == 0, "it ends well")
    }
  }
}
