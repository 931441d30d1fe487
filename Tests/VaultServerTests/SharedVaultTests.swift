import Foundation
import Service
import TestSupport
import Testing
import Wire

/// Several programs on one vault (U), each a process of its own, over a real socket.
@Suite("A shared vault", .timeLimit(.minutes(10))) struct SharedVaultTests {
  private static let card =
    #"{"type":"text","title":"Office","group":"personal","fields":{"text":"Floor 12"}}"#

  @Test("U A program that was not admitted gets nothing of an unlocked vault until it gives the password")
  func admission() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      #expect(try second.message("session/didUnlock")["params"]?["admitted"] == false)
      #expect(try second.call("vault/status").result?["admitted"] == false)
      for method in ["card/list", "settings/get", "log/list", "client/list", "vault/verify"] {
        #expect(try second.call(method).errorKind == "auth.notAdmitted", "\(method)")
      }
      #expect(
        try second.call("session/unlock", #"{"password":"wrong wrong"}"#).errorKind == "auth.wrongPassword")
      #expect(try first.call("card/list").result != nil)
      #expect(try second.call("session/unlock", SharedClient.password).result?["cardCount"] == 0)
      #expect(try second.call("card/list").result?["total"] == 0)
      let items = try second.call("client/list").result?["items"]
      guard case .array(let clients)? = items else { throw Failure("no list") }
      #expect(clients.map { $0["admitted"] } == [true, true])
      #expect(clients.map { $0["means"] } == ["password", "password"])
    }
  }

  @Test("U R14 A change by one program is told to the others at once, and not to itself")
  func changes() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      let id = try first.call("card/create", Self.card).result?["card"]?["id"]?.string
      let card = try #require(id)
      #expect(try second.message("card/didChange")["params"]?["changed"] == [.string(card)])
      try second.call("card/delete", #"{"id":"\#(card)","revision":1}"#)
      let told = try first.message("card/didChange")
      #expect(told["params"]?["deleted"] == [.string(card)], "\(told.text)")
      try second.call("vault/status")
      #expect(!second.hasKept("card/didChange"))
    }
  }

  @Test("U R12 A lock by one locks all, and all go on in the next process")
  func lock() async throws {
    try await withSharedVault { vault in
      let clients = try (0..<8).map { _ in try vault.connect() }
      try clients[0].createVault()
      for client in clients.dropFirst() {
        #expect(try client.message("session/didUnlock")["params"]?["admitted"] == false)
        try client.call("session/unlock", SharedClient.password)
      }
      try clients[0].call("card/create", Self.card)
      #expect(try clients[5].call("session/lock").result == .null)
      for client in clients {
        #expect(try client.message("session/didLock")["params"]?["reason"] == "request")
        #expect(try client.call("card/list").errorKind == "vault.locked")
      }
      #expect(vault.handoffCount == 1)
      try clients[3].call("session/unlock", SharedClient.password)
      for (index, client) in clients.enumerated() where index != 3 {
        #expect(try client.message("session/didUnlock")["params"]?["admitted"] == true)
        #expect(try client.call("card/list").result?["total"] == 1)
      }
    }
  }

  @Test(
    "U A lock does not wait for a client that does not read, which gets the locked error for what it has not read"
  )
  func unread() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      let text = String(repeating: "secret ", count: 14_000)
      try first.call(
        "card/create",
        #"{"type":"text","title":"Long","group":"personal","fields":{"text":"\#(text)"}}"#)
      let id = try second.message("card/didChange")["params"]?["changed"]
      guard case .array(let changed)? = id, let card = changed.first?.string else { throw Failure("no id") }
      // More than the socket, the relay and its pipe hold together, and not so much that the service stops reading.
      let sent = try (0..<12).map { _ in try second.send("card/get", #"{"id":"\#(card)"}"#) }
      #expect(try first.call("session/lock").result == .null)
      #expect(try first.message("session/didLock")["params"]?["reason"] == "request")
      #expect(try first.call("vault/status").result?["locked"] == true)
      var kinds: [String?] = []
      for id in sent {
        guard let answer = try? second.answer(to: id) else { break }
        kinds.append(answer.errorKind)
      }
      #expect(kinds.drop { $0 == nil }.allSatisfy { $0 == "vault.locked" })
    }
  }

  @Test("U A client that was slow to read gets its remaining answers")
  func lateReader() async throws {
    try await withSharedVault { vault in
      let client = try vault.connect()
      // More than the socket, the relay and its pipe hold together.
      let sent = try (0..<30).map { _ in try client.send("rpc.discover") }
      for id in sent { #expect(try client.answer(to: id).result != nil) }
      #expect(try client.call("vault/status").result != nil)
    }
  }

  @Test("U A request that was half sent at a lock is answered by the next process")
  func halfSent() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      let request = Array(#"{"jsonrpc":"2.0","id":99,"method":"vault/status"}"#.utf8) + [0x0A]
      try second.program.channel.write(Array(request[..<20]))
      try first.call("session/lock")
      #expect(try second.message("session/didLock")["params"]?["reason"] == "request")
      try first.call("vault/status")
      try second.program.channel.write(Array(request[20...]))
      #expect(try second.answer(to: 99).result?["locked"] == true)
    }
  }

  @Test(
    "U Consent: asked with the program's name and process, allowed, refused, and not asked again after that")
  func consent() async throws {
    try await withSharedVault { vault in
      let (first, second, third) = (
        try vault.connect(answersConsent: true), try vault.connect(), try vault.connect()
      )
      #expect(try second.call("client/requestConsent").errorKind == "vault.locked")
      try first.createVault()
      guard case .array(let asking)? = try second.call("vault/status").result?["consentFrom"] else {
        throw Failure("nobody to ask")
      }
      #expect(asking.map { $0["process"]?.integer } == [Int(first.program.process)])
      let asked = try second.send("client/requestConsent")
      let question = try first.message("session/admit")
      #expect(question["params"]?["program"]?["name"]?.string?.hasPrefix("python3") == true)
      #expect(question["params"]?["program"]?["process"]?.integer == Int(second.program.process))
      try first.respond(to: question, #"{"allow":true}"#)
      #expect(try second.answer(to: asked).result?["cardCount"] == 0)
      #expect(try second.call("card/list").result?["total"] == 0)

      let again = try third.send("client/requestConsent")
      try first.respond(to: try first.message("session/admit"), #"{"allow":false}"#)
      #expect(try third.answer(to: again).errorKind == "auth.admissionRefused")
      #expect(try third.call("client/requestConsent").errorKind == "auth.admissionRefused")
      #expect(try third.call("card/list").errorKind == "auth.notAdmitted")
      for client in [first, second, third] {
        #expect(try client.call("vault/status").result?["consentFrom"] == nil)
      }
      #expect(!first.hasKept("session/admit"))
      let log = try first.call("log/list").result?["items"]
      guard case .array(let events)? = log else { throw Failure("no log") }
      #expect(events.contains { $0["event"] == "clientAdmitted" && $0["method"] == "consent" })
    }
  }

  @Test("U Nobody to ask: no client shows the question, or the time is over")
  func nobodyToAsk() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      #expect(try second.call("card/list").ways == ["password"])
      #expect(try second.call("client/requestConsent").errorKind == "auth.nobodyToAsk")
      let third = try vault.connect(answersConsent: true)
      try third.call("session/unlock", SharedClient.password)
      #expect(try second.call("card/list").ways == ["password", "consent"])
      let asked = try second.send("client/requestConsent")
      _ = try third.message("session/admit")
      try vault.time.advance(61_000)
      #expect(try second.answer(to: asked).errorKind == "auth.nobodyToAsk")
      _ = try third.message("$/cancelRequest")
    }
  }

  @Test("U sharedUnlock: always admits all, never asks nobody")
  func setting() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(answersConsent: true), try vault.connect())
      try first.createVault()
      #expect(try first.call("settings/update", #"{"sharedUnlock":"always"}"#).result != nil)
      #expect(try second.call("card/list").result != nil)
      #expect(try first.call("settings/update", #"{"sharedUnlock":"never"}"#).result != nil)
      #expect(try second.call("card/list").ways == ["password"])
      #expect(try second.call("client/requestConsent").errorKind == "auth.nobodyToAsk")
    }
  }

  @Test("U sharedUnlock: never ends what a consent admitted, and a question that waits")
  func neverAfterConsent() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(answersConsent: true), try vault.connect())
      let third = try vault.connect()
      try first.createVault()
      let asked = try second.send("client/requestConsent")
      try first.respond(to: try first.message("session/admit"), #"{"allow":true}"#)
      #expect(try second.answer(to: asked).result != nil)
      let waiting = try third.send("client/requestConsent")
      let question = try first.message("session/admit")
      #expect(try first.call("settings/update", #"{"sharedUnlock":"never"}"#).result != nil)
      #expect(try first.call("card/list").result != nil)
      #expect(try second.call("card/list").errorKind == "auth.notAdmitted")
      try first.respond(to: question, #"{"allow":true}"#)
      #expect(try third.answer(to: waiting).errorKind == "auth.nobodyToAsk")
      #expect(try third.call("card/list").errorKind == "auth.notAdmitted")
    }
  }

  @Test("U R9 A password of the last minute counts in its terminal, and nowhere else")
  func confirmation() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect(inTerminal: true))
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      let weakening = #"{"lockOnSleep":false}"#
      try second.reconnect()
      #expect(try second.call("settings/update", weakening).errorKind == nil)
      try first.call("settings/update", #"{"sharedUnlock":"always","lockOnSleep":true}"#)
      try vault.time.advance(61_000)
      #expect(try second.call("settings/update", weakening).errorKind == "auth.required")
      try first.call("session/unlock", SharedClient.password)
      #expect(try second.call("settings/update", weakening).errorKind == "auth.required")
      let third = try vault.connect()
      #expect(try third.call("settings/update", weakening).errorKind == "auth.required")
    }
  }

  @Test("U What admits a program to another vault in this one's place admits it to nothing here")
  func otherVault() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      #expect(try first.call("card/create", Self.card).result != nil)
      try second.call("session/lock")
      #expect(try second.call("vault/create", #"{"demo":true}"#).errorKind == "vault.exists")
      try FileManager.default.moveItem(atPath: vault.vault, toPath: vault.vault + ".away")
      try second.createVault()
      #expect(try second.call("card/list").result?["total"] == 0)
      try second.call("session/lock")
      try FileManager.default.removeItem(atPath: vault.vault)
      try FileManager.default.moveItem(atPath: vault.vault + ".away", toPath: vault.vault)
      #expect(try first.call("session/unlock", SharedClient.password).result?["cardCount"] == 1)
      #expect(try second.call("card/list").errorKind == "auth.notAdmitted")
      #expect(try second.call("vault/status").result?["admitted"] == false)
    }
  }

  @Test("U A new key of the vault leaves its programs admitted")
  func newKey() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      let new = #"{"oldPassword":"correct horse 电池","newPassword":"another horse 电池"}"#
      #expect(try first.call("vault/rekey", new).errorKind == nil)
      #expect(try second.call("card/list").result != nil)
      try first.call("session/lock")
      try first.call("session/unlock", #"{"password":"another horse 电池"}"#)
      #expect(try second.call("card/list").result != nil)
    }
  }

  @Test("U A request that waits while another program unlocks the vault needs an admission all the same")
  func waitingDuringUnlock() async throws {
    try await withSharedVault { vault in
      let (first, second, third) = (try vault.connect(), try vault.connect(), try vault.connect())
      try first.createVault()
      let created = try first.call("card/create", Self.card)
      let card = try #require(created.result?["card"]?["id"]?.string)
      for _ in 0..<10 {
        try first.call("session/lock")
        let unlock = try first.send("session/unlock", SharedClient.password)
        let exclusive = try second.send("sync/join", #"{"folder":"/none","password":"another horse 电池"}"#)
        let waiting = try third.send("card/setPinned", #"{"id":"\#(card)","pinned":true}"#)
        #expect(try first.answer(to: unlock).result != nil)
        #expect(try second.answer(to: exclusive).errorKind == "vault.exists")
        #expect(try third.answer(to: waiting).result == nil)
      }
      #expect(try first.call("card/get", #"{"id":"\#(card)"}"#).result?["card"]?["pinned"] == false)
    }
  }

  @Test("U An admission ends after 12 hours, and when it is revoked")
  func end() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      #expect(try first.call("client/revoke", #"{"id":2}"#).result == .null)
      #expect(try second.message("session/didLock")["params"]?["reason"] == "revoked")
      #expect(try second.call("card/list").errorKind == "auth.notAdmitted")
      #expect(try first.call("client/revoke", #"{"id":7}"#).errorKind == "client.notFound")
      try first.call("settings/update", #"{"autoLockSeconds":86400}"#)
      try vault.time.advance(12 * 3_600_000)
      #expect(try first.call("card/list").errorKind == "auth.notAdmitted")
    }
  }

  @Test(
    "U R12 The vault locks in the background when no client is in front; a terminal counts for a minute more")
  func background() async throws {
    try await withSharedVault { vault in
      let first = try vault.connect()
      let second = try vault.connect(inTerminal: true)
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      try first.notify("client/didEnterBackground")
      #expect(try first.call("vault/status").result?["locked"] == false)
      try second.notify("client/didEnterBackground")
      #expect(try second.call("vault/status").result?["locked"] == false)
      try vault.time.advance(59_000)
      #expect(try second.call("vault/status").result?["locked"] == false)
      try vault.time.advance(2_000)
      #expect(try first.message("session/didLock")["params"]?["reason"] == "background")

      try second.notify("client/didBecomeActive")
      try second.call("session/unlock", SharedClient.password)
      try second.notify("client/didEnterBackground")
      // The answer shows that the service has read the notification before it.
      try second.call("vault/status")
      try first.notify("client/didBecomeActive")
      try first.call("vault/status")
      try first.notify("client/didEnterBackground")
      #expect(try first.message("session/didLock")["params"]?["reason"] == "background")
    }
  }

  @Test(
    "U R12 The activity of any admitted client keeps the vault unlocked; without a client it locks and the service ends"
  )
  func idle() async throws {
    try await withSharedVault { vault in
      let (first, second, third) = (try vault.connect(), try vault.connect(), try vault.connect())
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      try vault.time.advance(290_000)
      try second.call("card/list")
      try vault.time.advance(290_000)
      #expect(try third.call("card/list").errorKind == "auth.notAdmitted")
      #expect(try first.call("vault/status").result?["locked"] == false)
      try second.call("card/list")
      for client in [first, second, third] {
        client.program.channel.closeInput()
        #expect(try client.program.exitStatus() == 0)
      }
      let last = try vault.connect()
      #expect(try last.call("vault/status").result?["locked"] == false)
      last.program.channel.closeInput()
      _ = try last.program.exitStatus()
      // It is still unlocked when nobody has used it for a while, and ends when it locks.
      try vault.time.waitForTimer(dueWithin: 10_000)
      try vault.time.advance(11_000)
      try vault.time.advance(300_000)
      try vault.waitForEnd()
    }
  }

  @Test("U A client that ends during its request, or is killed, leaves the others alone")
  func endingClients() async throws {
    try await withSharedVault { vault in
      let first = try vault.connect()
      try first.createVault()
      for _ in 0..<20 {
        let other = try vault.connect()
        _ = try other.send("session/unlock", SharedClient.password)
        other.program.send(signal: SIGKILL)
      }
      #expect(try first.call("card/create", Self.card).result != nil)
    }
  }
}

extension SharedClient {
  /// Answers a request of the server.
  func respond(to request: JSON, _ result: String) throws {
    let id = try #require(request["id"])
    try program.channel.send(#"{"jsonrpc":"2.0","id":\#(id.text),"result":\#(result)}"#)
  }
}

extension JSON {
  /// The ways to be admitted that an error names.
  fileprivate var ways: [String]? {
    guard case .array(let ways)? = self["error"]?["data"]?["ways"] else { return nil }
    return ways.compactMap(\.string)
  }
}
