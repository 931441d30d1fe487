import Foundation
import SessionSupport
import TestSupport
import Testing
import VaultInterface
import Wire

@testable import Vault

extension MachineTests {
  @Suite("The folders of the testkit")
  struct TestkitFolderTests {
    /// What a reader must find in a folder.
    struct Scenario: Decodable {
      struct Card: Decodable, Hashable {
        var id: String
        var title: String
        var attachments: [String]
      }

      struct Problem: Decodable, Hashable {
        var replica: String
        var kind: String
        var segment: Int64

        init(_ replica: Identifier, _ problem: SyncProblem) {
          self.replica = replica.description
          (kind, segment) =
            switch problem {
            case .missing(let segment): ("missing", segment)
            case .unreadable(let segment): ("unreadable", segment)
            case .replaced(let segment): ("replaced", segment)
            case .placeholder(let segment): ("placeholder", segment)
            case .contentMissing(let segment): ("contentMissing", segment)
            }
        }
      }

      var password: String
      var outcome: String
      var cards: [Card]?
      var problems: [Problem]?
      var files: [String: Data]
    }

    private static let directory = Repository.top.appending(path: "protocol/testkit/folders")

    static var names: [String] {
      get throws { try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() }
    }

    @Test("S a machine that joins finds in each folder of the testkit what its description says")
    func folders() async throws {
      let names = try Self.names
      #expect(names.count > 20)
      for name in names {
        let data = try Data(contentsOf: Self.directory.appending(path: name))
        let scenario = try JSONDecoder().decode(Scenario.self, from: data)
        let vault = try TestVault(inMemory: true)
        let folder = vault.directory + "/folder"
        for (path, content) in scenario.files {
          let file = URL(filePath: "\(folder)/\(path)")
          try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
          try content.write(to: file)
        }
        try await check(scenario, vault.session(), folder, name)
      }
    }

    private func check(
      _ scenario: Scenario, _ session: VaultSession, _ folder: String, _ name: String
    ) async throws {
      do {
        let status = try await session.joinSync(
          UserPath(folder), password: scenario.password, machine: "reader")
        #expect(scenario.outcome == "read", "\(name)")
        let problems = status.others.compactMap { other in
          other.problem.map { Scenario.Problem(other.id, $0) }
        }
        #expect(problems == scenario.problems, "\(name)")
        let cards = try session.allCards(limit: 99).map { listed in
          let card = try session.card(listed.id)
          return Scenario.Card(
            id: card.id.description, title: card.title, attachments: card.attachments.map(\.name).sorted())
        }
        #expect(cards.sorted { $0.id < $1.id } == scenario.cards, "\(name)")
        #expect(try await session.verify({ _ in }).integrity == .intact, "\(name)")
        session.lock(.request)
      } catch SyncError.wrongPassword {
        #expect(scenario.outcome == "wrong-password", "\(name)")
      }
    }
  }
}
