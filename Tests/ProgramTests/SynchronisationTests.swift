import Foundation
import Glibc
import TestSupport
import Testing

/// Two machines that synchronise a vault over a folder, as their users see them.
@Suite("Synchronisation", .serialized) struct SynchronisationTests {
  private let directory: TemporaryDirectory
  private var folder: String { directory.appending("folder") }

  init() throws { directory = try TemporaryDirectory() }

  /// The program on one machine.
  private func machine(_ name: String) throws -> ProgramClient {
    try ProgramClient(
      vault: directory.appending("\(name).quickvault"),
      environment: ["XDG_STATE_HOME": directory.appending("state-\(name)")])
  }

  /// Two machines with one vault.
  private func machines() throws -> [ProgramClient] {
    let (laptop, desk) = (try machine("laptop"), try machine("desk"))
    try laptop.createVault()
    #expect(try laptop.call("sync/status")["enabled"] as? Bool == false)
    try laptop.call("sync/enable", with: ["folder": folder, "machine": "laptop"])
    try desk.call(
      "sync/join", with: ["folder": folder, "machine": "desk", "password": ProgramClient.password])
    return [laptop, desk]
  }

  private func titles(_ client: ProgramClient) throws -> [String] {
    let items = try client.call("card/list")["items"] as? [[String: any Sendable]] ?? []
    return items.compactMap { $0["title"] as? String }
  }

  /// Waits until a machine shows these cards, whoever tells it.
  private func expect(_ titles: [String], on client: ProgramClient) throws {
    while try self.titles(client).sorted() != titles { try client.notification("card/didChange") }
  }

  /// The status of a machine that does not synchronise just now, as it may do by itself at any moment.
  private func settled(_ client: ProgramClient) throws -> [String: any Sendable] {
    let deadline = Deadline.usual
    while true {
      let status = try client.call("sync/status")
      if status["state"] as? String != "syncing" { return status }
      guard deadline.milliseconds > 0 else { throw Failure("it synchronises without end: \(status)") }
    }
  }

  @Test("S what one machine changes appears on the other by itself, both ways")
  func unasked() async throws {
    try await onThread {
      let machines = try machines()
      let card = try machines[0].createNote("one")
      let changed = try machines[1].notification("card/didChange")
      #expect(changed["changed"] as? [String] == [card])
      #expect(try titles(machines[1]) == ["one"])
      try machines[1].call("card/update", with: ["id": card, "title": "ONE"])
      try machines[0].notification("card/didChange")
      #expect(try titles(machines[0]) == ["ONE"])
      try machines[0].call("card/delete", with: ["id": card])
      let deleted = try machines[1].notification("card/didChange")
      #expect(deleted["deleted"] as? [String] == [card])
      let status = try machines[0].call("sync/now")
      let others = try #require(status["replicas"] as? [[String: any Sendable]])
      #expect(others.count == 1 && others[0]["machine"] as? String == "desk")
      #expect(try settled(machines[0])["state"] as? String == "idle")
    }
  }

  @Test("S what is answered just before a lock, the end or a kill reaches the other machine")
  func lastWords() async throws {
    try await onThread {
      let machines = try machines()
      try machines[0].createNote("locked")
      try machines[0].call("session/lock")
      // At the latest after the unlock: a lock does not wait long for a slow disk.
      try machines[0].unlock()
      try expect(["locked"], on: machines[1])
      try machines[0].createNote("over")
      #expect(try machines[0].program.finish().status == 0)
      let killed = try machine("laptop")
      try killed.unlock()
      try expect(["locked", "over"], on: machines[1])
      try killed.createNote("killed")
      killed.program.send(signal: SIGKILL)
      _ = try killed.program.exitStatus()
      let next = try machine("laptop")
      try next.unlock()
      try expect(["killed", "locked", "over"], on: machines[1])
    }
  }

  @Test("S a folder that is not there is told, and what was changed meanwhile is published when it is back")
  func removedFolder() async throws {
    try await onThread {
      let machines = try machines()
      for machine in machines { try machine.call("sync/now") }
      try FileManager.default.moveItem(atPath: folder, toPath: folder + "-away")
      #expect(try machines[0].kindOfError("sync/now") == "sync.folderNotFound")
      let failed = try settled(machines[0])
      let failure = failed["failure"] as? [String: any Sendable]
      #expect(failed["state"] as? String == "failed" && failure?["kind"] as? String == "sync.folderNotFound")
      #expect(!FileManager.default.fileExists(atPath: folder))
      try machines[0].createNote("meanwhile")
      try FileManager.default.moveItem(atPath: folder + "-away", toPath: folder)
      #expect(try machines[0].call("sync/now")["failure"] == nil)
      try machines[1].call("sync/now")
      #expect(try titles(machines[1]) == ["meanwhile"])
    }
  }

  @Test(
    "S after a new key, the other machine follows with the new password, and brings what it had not published"
  )
  func newKey() async throws {
    try await onThread {
      let machines = try machines()
      try machines[0].createNote("before")
      try expect(["before"], on: machines[1])
      let passwords = ["oldPassword": ProgramClient.password, "newPassword": "another long password"]
      try machines[0].call("vault/rekey", with: passwords)
      try machines[0].createNote("after")
      try machines[1].createNote("not published")
      #expect(try machines[1].call("sync/now")["needsPassword"] as? Bool == true)
      let old = #"{"password":"\#(ProgramClient.password)"}"#
      #expect(try machines[1].kindOfError("sync/rejoin", old) == "sync.wrongPassword")
      try machines[1].call("sync/rejoin", with: ["password": "another long password"])
      try expect(["after", "before", "not published"], on: machines[0])
      try expect(["after", "before", "not published"], on: machines[1])
      try machines[1].call("session/lock")
      try machines[1].unlock(password: "another long password")
    }
  }

  @Test("S a machine that lost its vault's file joins again")
  func joiningAgain() async throws {
    try await onThread {
      let machines = try machines()
      try machines[1].createNote("kept")
      try machines[1].call("sync/now")
      #expect(try machines[1].program.finish().status == 0)
      for suffix in ["", "-wal", "-shm"] { unlink(directory.appending("desk.quickvault\(suffix)")) }
      let again = try machine("desk")
      try again.call("sync/join", with: ["folder": folder, "password": ProgramClient.password])
      #expect(try titles(again) == ["kept"])
      try again.createNote("new")
      try expect(["kept", "new"], on: machines[0])
    }
  }

  @Test("S a program that ends while it synchronises leaves no log beside the vault")
  func endWhileSynchronising() async throws {
    try await onThread {
      for machine in try machines() { #expect(try machine.program.finish().status == 0) }
      for _ in 0..<10 {
        let machine = try machine("laptop")
        try machine.unlock()
        #expect(try machine.program.finish().status == 0)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(files.filter { $0.hasPrefix("laptop.quickvault") } == ["laptop.quickvault"])
      }
    }
  }

  @Test("S joining and the rest refuse what cannot be, in words")
  func refusals() async throws {
    try await onThread {
      let (one, other) = (try machine("laptop"), try machine("desk"))
      try one.createVault()
      #expect(try one.kindOfError("sync/now") == "sync.notEnabled")
      #expect(try one.kindOfError("sync/disable") == "sync.notEnabled")
      let join = #"{"folder":"\#(folder)","password":"\#(ProgramClient.password)"}"#
      #expect(try other.kindOfError("sync/join", join) == "sync.folderNotFound")
      mkdir(folder, 0o700)
      #expect(try other.kindOfError("sync/join", join) == "sync.noVault")
      let refused = [
        "/proc/version": "sync.notAFolder", "/proc/version/folder": "sync.notAFolder",
        folder + "/none/folder": "sync.folderNotFound",
      ]
      for (path, kind) in refused {
        #expect(try one.kindOfError("sync/enable", #"{"folder":"\#(path)"}"#) == kind)
        #expect(try one.call("sync/status")["enabled"] as? Bool == false)
      }
      let replica = try #require(try one.call("sync/enable", with: ["folder": folder])["replica"] as? String)
      #expect(try one.kindOfError("sync/enable", #"{"folder":"\#(folder)"}"#) == "sync.alreadyEnabled")
      let wrong = #"{"folder":"\#(folder)","password":"another one"}"#
      #expect(try other.kindOfError("sync/join", wrong) == "sync.wrongPassword")
      #expect(try one.kindOfError("sync/join", join) == "vault.exists")
      #expect(try one.kindOfError("sync/forget", #"{"replica":"\#(replica)"}"#) == "sync.ownReplica")
      let unknown = "5b0c1f6e-8d2a-8c47-9e31-7f60a4d2c815"
      #expect(try one.kindOfError("sync/forget", #"{"replica":"\#(unknown)"}"#) == "sync.unknownReplica")
      #expect(try settled(one)["state"] as? String == "idle")
      let off = try one.call("sync/disable")
      #expect(off["enabled"] as? Bool == false && off.count == 1)
    }
  }
}
