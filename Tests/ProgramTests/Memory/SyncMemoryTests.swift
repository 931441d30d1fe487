import Foundation
import Glibc
import TestSupport
import Testing

/// Searches the memory of programs that synchronise a vault.
@Suite(
  "Memory of synchronising machines",
  .enabled(if: geteuid() == 0, "reading another process's memory takes root"))
struct SyncMemoryTests {
  private static let word = "SYNCED" + UUID().uuidString.prefix(13)
  private static let password = "correct horse 电池订书钉 \(word)"

  private static func card(_ number: Int, _ machine: String) -> [String: Any] {
    [
      "title": "标题\(number) \(machine) \(word)", "group": "personal", "type": "text",
      "fields": ["text": "\(number) \(word) \(machine)"],
    ]
  }

  @Test("R10 S after lock nothing that was published, applied or merged is in memory, on either machine")
  func nothingAfterLock() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let machines = try ["laptop", "desk"].map { name in
        try ProgramClient(
          vault: directory.appending("\(name).quickvault"),
          environment: ["XDG_STATE_HOME": directory.appending("state-\(name)")])
      }
      let folder = directory.appending("folder")
      try machines[0].createVault(password: Self.password)
      let ids = try (0..<30).map { try machines[0].createCard(Self.card($0, "laptop")) }
      try machines[0].call("sync/enable", with: ["folder": folder])
      try machines[1].call("sync/join", with: ["folder": folder, "password": Self.password])
      // Both change the same cards, so that the second merges them to conflict copies.
      for (number, machine) in machines.enumerated() {
        for id in ids.prefix(5) {
          try machine.call(
            "card/update", with: ["id": id, "fields": ["text": "\(number) of both \(Self.word)"]])
        }
        try machine.call("card/delete", with: ["id": ids[5 + number]])
      }
      for machine in machines + machines { try machine.call("sync/now") }
      try machines[1].expectFound(secret: Self.word, ofCardWith: ids[9])
      for machine in machines {
        _ = try machine.createCard(Self.card(99, "last"))
        try machine.call("session/lock")
        try machine.call("vault/status")
        let memory = try ProcessMemory(of: machine.program.process)
        #expect(memory.occurrences(of: "quickvault") > 0, "the look finds anything at all")
        #expect(memory.occurrences(of: Self.word) == 0)
      }
    }
  }
}
