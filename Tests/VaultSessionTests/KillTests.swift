import Foundation
import Glibc
import SessionSupport
import TestSupport
import Testing

@testable import Vault

extension SessionTests {
  @Suite("Killed while the password changes")
  struct KillTests {
    static let new = "a new password 新"

    /// On a busy machine, every kill of a sweep may come too late. Then there is another sweep.
    @Test(
      "R11 R14 whenever the program is killed, exactly one of the two passwords opens the vault",
      arguments: 1...4)
    func killed(sweep: Int) async throws {
      let deadline = Deadline.usual
      var earlyKills = 0
      repeat { earlyKills = try await killDuringChange() } while earlyKills == 0 && deadline.milliseconds > 0
      #expect(earlyKills > 0, "each kill came too late")
    }

    /// Kills the program in earnest: a thread watches its log grow, and sends SIGKILL at the first growth, then at the second,
    /// and so on until the kill comes too late. How many of the growths the thread sees depends on the machine.
    ///
    /// - Returns: how many kills came early enough.
    private func killDuringChange() async throws -> Int {
      var (growth, newOpens) = (0, false)
      while !newOpens {
        growth += 1
        let vault = try TestVault()
        let session = try await vault.create()
        try session.note("kept")
        session.close()
        let hasAnswered = try changeAndKill(vault, atGrowth: growth)
        let oldOpens = await vault.session().errorOfUnlock(TestVault.password) == nil
        let other = vault.session()
        newOpens = await other.errorOfUnlock(Self.new) == nil
        #expect(oldOpens != newOpens)
        #expect(newOpens || !hasAnswered)
        let owner = vault.session()
        try await owner.unlock(password: newOpens ? Self.new : TestVault.password)
        #expect(try owner.summary().isIntact)
        #expect(try owner.allCards().map(\.title) == ["kept"])
      }
      return growth - 1
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
