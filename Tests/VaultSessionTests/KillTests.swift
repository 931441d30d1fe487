import SessionSupport
import Foundation
import Glibc
import TestSupport
import Testing

@testable import VaultSession

extension SessionTests {
  @Suite("Killed while the password changes")
  struct KillTests {
    static let new = "a new password 新"

    /// The program is killed in earnest: a thread watches its log grow, and at the so-manieth growth sends SIGKILL. The
    /// growths are the counted try, its taking back, and the new slot, each of one or more pages, or parts of them.
    @Test("R11 R14 whenever the program is killed, exactly one of the two passwords opens the vault")
    func killed() async throws {
      var outcomes: Set<String> = []
      for round in 0..<27 {
        let vault = try TestVault()
        let session = try await vault.create()
        try session.note("kept")
        session.close()
        let hasAnswered = try changeAndKill(vault, atGrowth: round % 9 + 1)
        let oldOpens = await vault.session().errorOfUnlock(TestVault.password) == nil
        let other = vault.session()
        let newOpens = await other.errorOfUnlock(Self.new) == nil
        #expect(oldOpens != newOpens)
        #expect(newOpens || !hasAnswered)
        outcomes.insert(newOpens ? "new" : "old")
        let owner = vault.session()
        try await owner.unlock(password: newOpens ? Self.new : TestVault.password)
        #expect(try owner.summary().isIntact)
        #expect(try owner.allCards().map(\.title) == ["kept"])
      }
      #expect(outcomes == ["old", "new"])
    }

    /// Has the program change the password, and kills it.
    ///
    /// - Returns: whether it had answered.
    private func changeAndKill(_ vault: TestVault, atGrowth count: Int) throws -> Bool {
      let program = try RunningProgram(Repository.program(), ["--vault", vault.path])
      try program.channel.send(
        """
        {"jsonrpc":"2.0","id":1,"method":"vault/changePassword",\
        "params":{"oldPassword":"\(TestVault.password)","newPassword":"\(Self.new)"}}
        """)
      program.channel.closeInput()
      var (size, growths) = (0, 0)
      var status = stat()
      let deadline = Deadline.usual
      while growths < count {
        try #require(deadline.milliseconds > 0)
        if stat(vault.path + "-wal", &status) == 0 {
          if status.st_size > size { growths += 1 }
          size = max(size, Int(status.st_size))
        } else if size > 0 || program.hasEnded {
          break  // It has done everything, closed the vault and taken the log away.
        }
      }
      program.send(signal: SIGKILL)
      _ = try program.exitStatus()
      return try program.channel.next()?.contains("\"result\":null") ?? false
    }
  }
}
