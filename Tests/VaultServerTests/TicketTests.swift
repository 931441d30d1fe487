import TestSupport
import Testing
import Wire

@testable import Service

/// Programs that an admitted one starts, with a ticket that it got for them (U).
@Suite("Tickets", .timeLimit(.minutes(10))) struct TicketTests {
  @Test("U A ticket admits one connection of one program, and is in the log and the list")
  func once() async throws {
    try await withSharedVault { vault in
      let first = try vault.connect()
      try first.createVault()
      let ticket = try first.ticket()
      #expect(ticket.utf8.count == 64)
      let second = try vault.connect(inTerminal: true, ticket: ticket)
      #expect(try second.call("card/list").result?["total"] == 0)
      #expect(try second.call("vault/status").result?["admitted"] == true)
      guard case .array(let clients)? = try first.call("client/list").result?["items"],
        case .array(let events)? = try first.call("log/list").result?["items"]
      else { throw Failure("no list") }
      #expect(clients.map { $0["means"] } == ["password", "ticket"])
      #expect(clients.last?["secondsLeft"] == nil)
      #expect(events.contains { $0["event"] == "clientAdmitted" && $0["method"] == "ticket" })

      // Another program with the same ticket, and another connection of this one in the same terminal.
      let third = try vault.connect(ticket: ticket)
      #expect(try third.call("card/list").errorKind == "auth.notAdmitted")
      try second.reconnect()
      #expect(try second.call("card/list").errorKind == "auth.notAdmitted")
    }
  }

  @Test("U A ticket is void after ten seconds, and a lock")
  func end() async throws {
    try await withSharedVault { vault in
      let first = try vault.connect()
      try first.createVault()
      let (early, late) = (try first.ticket(), try first.ticket())
      try vault.time.advance(9_999)
      #expect(try vault.connect(ticket: early).call("card/list").result != nil)
      try vault.time.advance(1)
      #expect(try vault.connect(ticket: late).call("card/list").errorKind == "auth.notAdmitted")
      let before = try first.ticket()
      let using = try vault.connect(ticket: try first.ticket())
      #expect(try using.call("card/list").result != nil)
      try first.call("session/lock")
      try first.call("session/unlock", SharedClient.password)
      #expect(try vault.connect(ticket: before).call("card/list").errorKind == "auth.notAdmitted")
      #expect(try using.call("card/list").errorKind == "auth.notAdmitted")
      #expect(try first.call("card/list").result != nil)
    }
  }

  @Test("U Only a program that was admitted, and not by a ticket, gets one, and of an unlocked vault")
  func refused() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      #expect(try first.call("client/ticket").errorKind == "vault.locked")
      try first.createVault()
      #expect(try second.call("client/ticket").errorKind == "auth.notAdmitted")
      let third = try vault.connect(ticket: try first.ticket())
      #expect(try third.call("client/ticket").errorKind == "auth.notAdmitted")
      let ticket = try first.ticket()
      #expect(try first.call("settings/update", #"{"sharedUnlock":"never"}"#).result != nil)
      #expect(try first.call("client/ticket").errorKind == "auth.notShared")
      #expect(try third.call("card/list").errorKind == "auth.notAdmitted")
      #expect(try vault.connect(ticket: ticket).call("card/list").errorKind == "auth.notAdmitted")
    }
  }

  @Test("U A ticket counts no longer than the program that got it is admitted, and confirms nothing")
  func giver() async throws {
    try await withSharedVault { vault in
      let (first, second) = (try vault.connect(), try vault.connect())
      try first.createVault()
      try second.call("session/unlock", SharedClient.password)
      let using = try vault.connect(ticket: try second.ticket())
      #expect(try using.call("settings/update", #"{"lockOnSleep":false}"#).errorKind == "auth.required")
      let unused = try second.ticket()
      #expect(try first.call("client/revoke", #"{"id":2}"#).result == .null)
      #expect(try using.message("session/didLock")["params"]?["reason"] == "revoked")
      #expect(try using.call("card/list").errorKind == "auth.notAdmitted")
      try second.call("session/unlock", SharedClient.password)
      #expect(try using.call("card/list").errorKind == "auth.notAdmitted")
      #expect(try vault.connect(ticket: unused).call("card/list").errorKind == "auth.notAdmitted")

      let other = try vault.connect(ticket: try first.ticket())
      #expect(try first.call("client/revoke", #"{"id":5}"#).result == .null)
      #expect(try other.message("session/didLock")["params"]?["reason"] == "revoked")
      #expect(try first.call("card/list").result != nil)
    }
  }

  @Test("U A wrong ticket is answered as none is, and many make those void that were not used")
  func guessing() async throws {
    try await withSharedVault { vault in
      let first = try vault.connect()
      try first.createVault()
      let ticket = try first.ticket()
      let wrong = String(repeating: "0", count: 64)
      let (guessing, asking) = (try vault.connect(ticket: wrong), try vault.connect())
      #expect(try guessing.call("vault/status").result == (try asking.call("vault/status").result))
      for _ in 1..<Tickets.wrongLimit { try guessing.reconnect() }
      #expect(try vault.connect(ticket: ticket).call("card/list").errorKind == "auth.notAdmitted")
      #expect(try vault.connect(ticket: try first.ticket()).call("card/list").result != nil)
    }
  }

  @Test("U A ticket is wrong if any of its digits is, whatever the others are")
  func digits() {
    let scope = AdmissionScope.process(ProcessIdentity(process: 1, startTime: 1))
    for _ in 1...20 {
      for position in 0..<64 {
        var tickets = Tickets()
        let ticket = tickets.make(for: scope, at: 0)
        for digit in "0123456789abcdef" {
          var digits = Array(ticket)
          guard digits[position] != digit else { continue }
          digits[position] = digit
          #expect(tickets.use(String(digits), at: 0) == nil)
        }
        #expect(tickets.use(ticket, at: 0) == scope)
      }
    }
  }

  @Test("U The oldest of too many tickets is void")
  func many() {
    let scope = AdmissionScope.process(ProcessIdentity(process: 1, startTime: 1))
    var tickets = Tickets()
    let made = (0...Tickets.limit).map { _ in tickets.make(for: scope, at: 0) }
    #expect(Set(made).count == made.count)
    #expect(tickets.use(made[0], at: 0) == nil)
    #expect(made.dropFirst().allSatisfy { tickets.use($0, at: 0) == scope })
  }
}

extension SharedClient {
  fileprivate func ticket() throws -> String {
    let answer = try call("client/ticket")
    return try #require(answer.result?["ticket"]?.string, "\(answer.text)")
  }
}
