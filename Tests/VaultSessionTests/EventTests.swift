import Foundation
import SessionSupport
import Testing
import VaultInterface

@testable import Vault

extension SessionTests {
  @Suite("The log")
  struct EventTests {
    let vault: TestVault
    let session: VaultSession

    init() async throws {
      vault = try TestVault()
      session = try await vault.create()
    }

    @Test("R17 every event is in the log, newest first, with its time, means and reason")
    func kinds() async throws {
      for reason in LockReason.allCases {
        vault.clock.advance(seconds: 60)
        #expect(session.lock(reason))
        #expect(!session.lock(reason))
        vault.clock.advance(seconds: 1)
        try await session.unlock(password: TestVault.password)
        let newest = try session.log(limit: 2)
        let now = vault.clock.wall
        #expect(
          newest == [
            LogEntry(
              time: Timestamp(milliseconds: now), event: "unlocked", means: "password", reason: nil),
            LogEntry(
              time: Timestamp(milliseconds: now - 1_000), event: "locked", means: nil, reason: reason.rawValue
            ),
          ])
      }
      for _ in 0..<3 { _ = await session.errorOfUnlock("not the password") }
      _ = await session.errorOfUnlock(TestVault.password)
      vault.clock.advance(seconds: 30)
      try await session.changePassword(
        from: TestVault.password, to: "a new password", keyDerivation: nil, dropsDevices: false)
      session.record(.memoryNotLocked)
      let events = try session.log(limit: 7).map(\.event)
      #expect(
        events == [
          "memoryNotLocked", "passwordChanged", "refused", "lockedOut", "wrongPassword", "wrongPassword",
          "wrongPassword",
        ])
      #expect(try session.log(limit: 1_000).last?.event == "created")
      session.lock(.request)
      #expect(try session.log(limit: 1).map(\.event) == ["locked"])
    }

    @Test("R17 the log keeps 1,000 entries and returns the requested number")
    func bounded() throws {
      let file = try session.unlocked().file
      try file.write { transaction in
        for number in 0..<1_500 {
          try transaction.appendEvent(session.event(.refused, reason: "\(number)"))
        }
      }
      #expect(try session.log(limit: 5_000).count == 1_000)
      #expect(try session.log(limit: 5_000).last?.reason == "500")
      #expect(try session.log(limit: 3).map(\.reason) == ["1499", "1498", "1497"])
      #expect(try session.log(limit: 0).isEmpty)
      #expect(try session.log(limit: -1).isEmpty)
    }

    @Test("R17 nothing private is in the log, whatever is done and however it fails")
    func nothingPrivate() async throws {
      let card = try session.createCard(Samples.address).card
      _ = try session.search("张三", limit: 1, cursor: nil)
      _ = try session.copy(card.id, as: .style(.labelled), in: .english)
      _ = try session.updateSettings([.textTemplate: .text("planted {text}")])
      _ = await session.errorOfUnlock("wrong-password-planted")
      try await session.changePassword(
        from: TestVault.password, to: "new-password-planted", keyDerivation: nil, dropsDevices: false)
      session.lock(.timeout)
      let rows = try RawFile(vault).rows("SELECT at, kind, method, reason FROM event")
      #expect(rows.count == 4)
      let allowed = Set(VaultEvent.allCases.map(\.rawValue) + LockReason.allCases.map(\.rawValue))
        .union(["password", "NULL"])
      for row in rows {
        #expect(Int64(row[0]) != nil)
        for column in row.dropFirst() { #expect(allowed.contains(column)) }
      }
    }

    @Test("R17 an event of a newer program is returned unchanged, and hostile times do not trap")
    func foreignEvents() throws {
      try RawFile(vault).run(
        "INSERT INTO event (at, kind, method, reason) VALUES (9223372036854775807, 'novel', 'x', 'y'),"
          + "(-9223372036854775807 - 1, 'novel', NULL, NULL)")
      let entries = try session.log(limit: 2)
      #expect(entries.map(\.event) == ["novel", "novel"])
      #expect(entries.map { "\($0.time)" } == ["0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"])
    }

    @Test("R17 a vault that does not exist has no log, and reading the log creates nothing")
    func missing() throws {
      let other = try TestVault()
      #expect(vaultError { _ = try other.session().log(limit: 1) } == .notFound)
      other.session().record(.locked)
      #expect(try FileManager.default.contentsOfDirectory(atPath: other.directory).isEmpty)
    }
  }
}
