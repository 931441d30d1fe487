import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension MachineTests {
  @Suite("Segments for a server that takes only short files")
  struct ShortSegmentTests {
    /// The sizes of a machine's segments.
    private func sizes(_ machine: Machine, of replica: String) throws -> [Int] {
      let names = try FileManager.default.subpathsOfDirectory(atPath: machine.folder)
      return try names.filter { $0.contains("/changes/\(replica)/") }.map { name in
        try Data(contentsOf: URL(filePath: "\(machine.folder)/\(name)")).count
      }
    }

    @Test("S a snapshot in shorter segments takes the place of those that are there, once for each limit")
    func shortened() async throws {
      let machines = try await Machines(count: 2)
      let text = String(repeating: "x", count: 9_000)
      try await machines[0].edit { for number in 0..<30 { try $0.note("card \(number)", text: text) } }
      try await machines.settle()
      let replica = try await machines[0].edit { "\(try $0.syncStatus().replica)" }
      let before = try #require(sizes(machines[0], of: replica).max())
      #expect(before > 200_000)

      #expect(try await machines[0].edit { try $0.shortenSegments(below: 200_000) })
      #expect(try await !machines[0].edit { try $0.shortenSegments(below: 200_000) })
      try await machines.settle()
      let after = try sizes(machines[0], of: replica)
      #expect(after.count > 2)
      #expect(try #require(after.max()) < 200_000)
      #expect(try await machines[1].titles().count == 30)

      // One card is as long as it is.
      #expect(try await machines[0].edit { try $0.shortenSegments(below: 100) })
      #expect(try await !machines[0].edit { try $0.shortenSegments(below: 50) })
      try await machines.settle()
      #expect(try await machines[1].titles().count == 30)
    }
  }
}
