import Foundation
import SessionSupport
import TestSamples
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("Damaged contents in the folder")
  struct DamagedContentTests {
    enum Damage: CaseIterable {
      case flipped, truncated, longer, empty

      func applied(to content: Data) -> Data {
        var damaged = content
        switch self {
        case .flipped: damaged[damaged.count / 2] ^= 1
        case .truncated: damaged.removeLast(20)
        case .longer: damaged.append(0)
        case .empty: damaged = Data()
        }
        return damaged
      }
    }

    /// A machine that has published a card with an attachment, and the file of its content.
    private func prepared() async throws -> (machines: Machines, file: URL) {
      let machines = try await Machines(count: 1)
      try await machines[0].edit { session in
        let card = try session.note("card")
        try session.attach("content of the card", to: card.id)
        try await session.synchronize()
      }
      let name = try #require(try machines.files(of: machines[0]).first { $0.contains("/contents/") })
      return (machines, URL(filePath: "\(machines[0].folder)/\(name)"))
    }

    @Test(
      "S a damaged content hides no intact one in the directory of another replica",
      arguments: Damage.allCases,
      [true, false])
    func hidden(_ damage: Damage, isFirst: Bool) async throws {
      for isOther in [true, false] {
        var (machines, file) = try await prepared()
        let content = try Data(contentsOf: file)
        let other = isFirst ? "00000000-0000-4000-8000-000000000001" : "ffffffff-ffff-4fff-bfff-ffffffffffff"
        let directory = file.deletingLastPathComponent().deletingLastPathComponent().appending(path: other)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
        let damaged = damage.applied(to: content)
        try (isOther ? damaged : content).write(to: directory.appending(path: file.lastPathComponent))
        try (isOther ? content : damaged).write(to: file)
        try await machines.join()
        #expect(try await machines[1].titles() == ["card"])
        #expect(try await machines[1].synchronize().others.compactMap(\.problem) == [])
      }
    }

    @Test("S a machine whose content was damaged in the folder writes it again", arguments: Damage.allCases)
    func repaired(_ damage: Damage) async throws {
      let (machines, file) = try await prepared()
      let content = try Data(contentsOf: file)
      try damage.applied(to: content).write(to: file)
      try await machines[0].synchronize()
      #expect(try Data(contentsOf: file) == content)
      // In a process that has seen it intact.
      try await machines[0].edit { session in
        try await session.synchronize()
        try damage.applied(to: content).write(to: file)
        try await session.synchronize()
      }
      #expect(try Data(contentsOf: file) == content)
    }
  }
}
