import Foundation
import TestSupport
import Testing
import VaultInterface
import Wire

@testable import Service

/// What programs that were not admitted can do to the users of those that were (U).
@Suite("Strangers at a shared vault", .timeLimit(.minutes(10))) struct StrangerTests {
  private static let day = #"{"autoLockSeconds":86400}"#

  /// Has a stranger lock the vault, and an admitted client unlock it again.
  private static func letLock(_ stranger: SharedClient, _ client: SharedClient) throws {
    #expect(try stranger.call("session/lock").result == .null)
    #expect(try client.message("session/didLock")["params"]?["reason"] == "request")
    #expect(try client.call("session/unlock", SharedClient.password).result != nil)
  }

  @Test("U A program that was not admitted locks the vault a few times, and not for ever")
  func locks() async throws {
    try await withSharedVault { vault in
      let (first, one, other, last) = (
        try vault.connect(), try vault.connect(), try vault.connect(), try vault.connect()
      )
      try first.createVault()
      #expect(try first.call("settings/update", Self.day).result != nil)
      for _ in 0..<StrangerLimits.locksOfOne { try Self.letLock(one, first) }
      let refused = try one.call("session/lock")
      #expect(refused.errorKind == "auth.tooManyLocks")
      #expect(refused["error"]?["data"]?["retryAfterSeconds"] == 3_600)
      #expect(try first.call("card/list").result != nil)
      // Another program may lock it, until all together have done so often.
      for _ in 0..<StrangerLimits.locksOfAll - StrangerLimits.locksOfOne { try Self.letLock(other, first) }
      for stranger in [one, other, last] {
        #expect(try stranger.call("session/lock").errorKind == "auth.tooManyLocks")
      }
      #expect(try vault.connect().call("session/lock").errorKind == "auth.tooManyLocks")
      #expect(vault.handoffCount == StrangerLimits.locksOfAll)
      // What was admitted locks it as often as it likes, and a locked vault stays locked.
      #expect(try first.call("session/lock").result == .null)
      #expect(try one.call("session/lock").result == .null)
      #expect(try first.call("session/unlock", SharedClient.password).result != nil)
      vault.time.skip(StrangerLimits.period)
      try Self.letLock(one, first)
    }
  }

  @Test("U A lock that is refused interrupts nothing")
  func refusedLock() async throws {
    try await withSharedVault { vault in
      let (first, stranger) = (try vault.connect(answersConsent: true), try vault.connect())
      let asking = try vault.connect()
      try first.createVault()
      for _ in 0..<StrangerLimits.locksOfOne { try Self.letLock(stranger, first) }
      let asked = try asking.send("client/requestConsent")
      let question = try first.message("session/admit")
      #expect(try stranger.call("session/lock").errorKind == "auth.tooManyLocks")
      try first.respond(to: question, #"{"allow":true}"#)
      #expect(try asking.answer(to: asked).result != nil)
    }
  }

  @Test("U While the vault is locked, only a program that was admitted takes an admission from another")
  func revoking() async throws {
    try await withSharedVault { vault in
      let (first, second, stranger) = (try vault.connect(), try vault.connect(), try vault.connect())
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      try first.call("session/lock")
      #expect(try stranger.call("client/revoke", #"{"id":1}"#).errorKind == "auth.notAdmitted")
      #expect(try second.call("client/revoke", #"{"id":1}"#).result == .null)
      #expect(try first.call("client/revoke", #"{"id":2}"#).errorKind == "auth.notAdmitted")
      try second.call("session/unlock", SharedClient.password)
      #expect(try first.call("card/list").errorKind == "auth.notAdmitted")
    }
  }

  @Test(
    "U A program that was refused does not have the user asked again by forking", arguments: [false, true])
  func forking(leavesOrphans: Bool) async throws {
    try await withSharedVault { vault in
      let first = try vault.connect(answersConsent: true)
      try first.createVault()
      let askers = try RunningProgram(
        "/usr/bin/python3",
        [
          Repository.top.appending(path: "Tests/Support/socket_askers.py").path, vault.socketPath,
          vault.vault, "20",
        ] + (leavesOrphans ? ["--orphans"] : []))
      // Of processes whose parent has ended it is not known where they come from.
      let questions = leavesOrphans ? StrangerLimits.freeQuestions : 1
      var kinds: [String?] = []
      for number in 0..<20 {
        if number < questions {
          try first.respond(to: first.message("session/admit"), #"{"allow":false}"#)
        }
        kinds.append(try JSONReader.read(Array(askers.channel.message().utf8))["kind"]?.string)
      }
      let others = leavesOrphans ? "auth.askedTooOften" : "auth.admissionRefused"
      #expect(kinds.prefix(questions).allSatisfy { $0 == "auth.admissionRefused" })
      #expect(kinds.dropFirst(questions).allSatisfy { $0 == others })
      try first.call("card/list")
      #expect(!first.hasKept("session/admit"))
    }
  }

  @Test("U One question follows another, and those that are withdrawn count")
  func oneAtATime() async throws {
    try await withSharedVault { vault in
      let first = try vault.connect(answersConsent: true)
      try first.createVault()
      let strangers = try (0..<5).map { _ in try vault.connect() }
      let asked = try strangers.map { try $0.send("client/requestConsent") }
      // The process of the first question, which was not the first to ask by all means.
      func next() throws -> (question: JSON, index: Int) {
        let question = try first.message("session/admit")
        let process = question["params"]?["program"]?["process"]?.integer
        return (question, try #require(strangers.firstIndex { Int($0.program.process) == process }))
      }
      let (question, index) = try next()
      try first.call("card/list")
      #expect(!first.hasKept("session/admit"))
      try first.respond(to: question, #"{"allow":true}"#)
      #expect(try strangers[index].answer(to: asked[index]).result != nil)
      var answered: Set = [index]
      for _ in 0..<StrangerLimits.freeQuestions {
        let (_, index) = try next()
        answered.insert(index)
        try strangers[index].program.channel.send(
          #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(asked[index])}}"#)
        #expect(try strangers[index].answer(to: asked[index]).errorKind == "rpc.cancelled")
        _ = try first.message("$/cancelRequest")
      }
      let rest = try #require((0..<5).first { !answered.contains($0) })
      let refused = try strangers[rest].answer(to: asked[rest])
      #expect(refused.errorKind == "auth.askedTooOften")
      #expect(refused["error"]?["data"]?["retryAfterSeconds"] == 30)
      #expect(try strangers[rest].call("vault/status").result?["consentFrom"] == nil)
      try vault.time.advance(30_000)
      let again = try strangers[rest].send("client/requestConsent")
      try first.respond(to: try first.message("session/admit"), #"{"allow":true}"#)
      #expect(try strangers[rest].answer(to: again).result != nil)
    }
  }

  @Test("U A question does not keep other programs from changing the key of the vault")
  func questionAndKey() async throws {
    try await withSharedVault { vault in
      let (first, stranger) = (try vault.connect(answersConsent: true), try vault.connect())
      try first.createVault()
      let asked = try stranger.send("client/requestConsent")
      let question = try first.message("session/admit")
      let new = #"{"oldPassword":"correct horse 电池","newPassword":"another horse 电池"}"#
      #expect(try first.call("vault/rekey", new).errorKind == nil)
      try first.respond(to: question, #"{"allow":false}"#)
      #expect(try stranger.answer(to: asked).errorKind == "auth.admissionRefused")
    }
  }

  /// Makes a folder with key files that nobody with a vault key made, and each of which takes a second or so.
  private static func forgeKeyFiles(in folder: String) throws {
    let (vault, epoch) = (try Identifier.random(), try Identifier.random())
    let keys = "\(folder)/\(vault)/\(epoch)/keys"
    try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
    for number in UInt8(1)...6 {
      let replica = try Identifier.random()
      var bytes = Array("quickvault/v1/keys".utf8) + vault.bytes + replica.bytes
      for value in [1, UInt64(number), 0] { withUnsafeBytes(of: value.bigEndian) { bytes += $0 } }
      bytes += replica.bytes + [1]
      for value in [UInt32(3_000_000), 0] { withUnsafeBytes(of: value.bigEndian) { bytes += $0 } }
      bytes += [UInt8](repeating: number, count: 16 + 48 + 64)
      try Data(bytes).write(to: URL(filePath: "\(keys)/\(replica)-0000000000000001"))
    }
  }

  @Test("S U key files that anyone made keep nobody waiting")
  func keyFiles() async throws {
    try await withSharedVault { vault in
      let (first, other) = (try vault.connect(), try vault.connect())
      let folder = vault.directory.appending("folder")
      try Self.forgeKeyFiles(in: folder)
      let join = #"{"folder":"\#(folder)","password":"correct horse 电池","progressToken":7}"#
      let cancelled = try first.send("sync/join", join)
      _ = try first.message("$/progress")
      try first.program.channel.send(
        #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(cancelled)}}"#)
      #expect(try first.answer(to: cancelled).errorKind == "rpc.cancelled")
      // Of its end: the next is of the other attempt.
      _ = try first.message("$/progress")
      #expect(try other.call("vault/status").result?["exists"] == false)
      #expect(vault.handoffCount == 1)
      let joining = try first.send("sync/join", join)
      _ = try first.message("$/progress")
      #expect(try other.call("vault/status").result?["exists"] == false)
      // It would replace the process, which has the other password.
      #expect(try other.call("session/unlock", SharedClient.password).errorKind == "vault.notFound")
      #expect(vault.handoffCount == 1)
      #expect(try first.answer(to: joining).errorKind == "sync.wrongPassword")
      #expect(try other.call("vault/status").result?["exists"] == false)
      #expect(vault.handoffCount == 2)
    }
  }

  @Test("U The pause after questions doubles, and what was counted outlasts the process")
  func pauses() throws {
    var (limits, time) = (StrangerLimits(), Int64(5_000_000))
    func secondsLeft() -> Int {
      do throws(AdmissionError) {
        try limits.checkQuestion(at: time)
      } catch {
        if case .askedTooOften(let seconds) = error { return seconds }
      }
      return 0
    }
    var pauses: [Int] = []
    for _ in 0..<10 {
      limits.noteQuestion(at: time)
      pauses.append(secondsLeft())
      time += Int64(secondsLeft()) * 1_000
      #expect(secondsLeft() == 0)
    }
    #expect(pauses == [0, 0, 30, 60, 120, 240, 480, 900, 900, 900])
    let process = ProcessIdentity(process: 7, startTime: 8)
    let terminal = TerminalSession(leader: process, name: "/dev/pts/3")
    try limits.noteLock(by: [.process(process), .terminal(terminal)], at: time)
    #expect(StrangerLimits(limits.json) == limits)
    limits.forgetQuestions()
    #expect(secondsLeft() == 0)
    #expect(StrangerLimits(["locks": [["time": 1]], "questions": 0, "lastQuestion": 0]) == nil)
  }
}
