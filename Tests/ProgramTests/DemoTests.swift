import Foundation
import Glibc
import TestSupport
import Testing

/// `quickvault demo`, and demo vaults that clients create.
@Suite("Demo", .serialized) struct DemoTests {
  private static func directories(in place: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: place.path).filter {
      $0.hasPrefix("quickvault-demo-")
    }
  }

  private static func demo(in place: TemporaryDirectory) throws -> ProgramClient {
    ProgramClient(
      try RunningProgram(Repository.program(), ["demo"], environment: ["XDG_RUNTIME_DIR": place.path]))
  }

  @Test(
    "L The demo starts unlocked with valid cards in both languages, locks and unlocks, and is deleted at the end"
  )
  func wholeLife() async throws {
    try await onThread {
      let place = try TemporaryDirectory()
      let client = try Self.demo(in: place)
      let status = try client.call("vault/status")
      try expect(status["locked"] as? Bool == false, "it is unlocked: \(status)")
      let path = try #require(status["path"] as? String)
      try expect(
        path.hasPrefix(place.path + "/quickvault-demo-\(client.program.process)-"), "its place: \(path)")
      let directory = URL(filePath: path).deletingLastPathComponent().path
      let mode = try FileManager.default.attributesOfItem(atPath: directory)[.posixPermissions] as? Int
      try expect(mode == 0o700, "nobody else looks in: \(mode ?? 0)")

      let items = try #require(try client.call("card/list")["items"] as? [[String: any Sendable]])
      try expect(
        Set(items.compactMap { $0["type"] as? String }) == ["address", "invoice", "text"], "each type")
      try expect(items.contains { $0["pinned"] as? Bool == true }, "pinned ones")
      for item in items {
        let title = item["title"] as? String ?? ""
        try expect(title.contains { $0.isASCII && $0.isLetter }, "English: \(title)")
        try expect(title.unicodeScalars.contains { $0.properties.isIdeographic }, "Chinese: \(title)")
      }
      try expect(try client.call("card/search", #"{"query":"gsfp"}"#)["total"] as? Int == 1, "by pinyin")

      let invoice = try #require(
        try client.call("card/search", #"{"query":"has:attachment"}"#)["items"] as? [[String: any Sendable]])
      try expect(invoice.count == 1, "one has an attachment: \(invoice)")
      let password = try #require((status["demo"] as? [String: any Sendable])?["password"] as? String)
      try client.call("session/lock")
      try expect(try client.call("vault/status")["path"] as? String == path, "the same vault after the lock")
      try expect(try client.kindOfError("vault/create", #"{"demo":true}"#) == "vault.exists", "one at a time")
      try client.unlock(password: password)
      try expect(try client.call("card/list")["total"] as? Int == items.count, "its cards")

      client.program.channel.closeInput()
      try expect(try client.program.exitStatus() == 0, "a clean end")
      try expect(try Self.directories(in: place).isEmpty, "nothing is left")
    }
  }

  @Test(
    "L, R5, R6 The sample attachment is shown with its watermark, or without one if there is no imaging program",
    arguments: [true, false])
  func attachment(hasWorker: Bool) async throws {
    try await onThread {
      let place = try TemporaryDirectory()
      let helpers = hasWorker ? [] : ["--helpers", place.path]
      let client = ProgramClient(
        try RunningProgram(
          Repository.program(), ["demo"] + helpers, environment: ["XDG_RUNTIME_DIR": place.path]))
      let found = try #require(
        try client.call("card/search", #"{"query":"has:attachment"}"#)["items"] as? [[String: any Sendable]])
      let card = try #require(found.first?["card"] as? [String: any Sendable])
      let attachment = try #require((card["attachments"] as? [[String: any Sendable]])?.first)
      let id = try #require(attachment["id"] as? String)
      try expect((attachment["watermark"] is [String: any Sendable]) == hasWorker, "marked: \(attachment)")
      let shown = try client.call("attachment/get", #"{"id":"\#(id)"}"#)["data"] as? String
      let original =
        try client.call("attachment/get", #"{"id":"\#(id)","original":true,"password":"demo demo"}"#)["data"]
        as? String
      let licence = try Data(contentsOf: Repository.top.appending(path: "Sources/CResources/licence.png"))
      try expect(original == licence.base64EncodedString(), "the picture")
      try expect((shown == original) == !hasWorker, "marked where something can draw the mark")
      if hasWorker {
        let thumbnail = try client.call("attachment/thumbnail", #"{"id":"\#(id)"}"#)
        try expect(thumbnail["width"] as? Int == 256, "a worker finds it good: \(thumbnail["width"] ?? 0)")
      }
      let verified = try client.call("vault/verify")
      try expect(
        verified["attachments"] as? Int == 1 && verified["integrity"] as? String == "intact", "\(verified)")
      client.program.channel.closeInput()
      try expect(try client.program.exitStatus() == 0, "a clean end")
    }
  }

  @Test(
    "L A demo ended by a signal leaves nothing; the next demo removes the files of a killed one, and no others"
  )
  func endings() async throws {
    try await onThread {
      let place = try TemporaryDirectory()
      let ended = try Self.demo(in: place)
      try ended.call("session/lock")
      try ended.call("vault/status")
      ended.program.send(signal: SIGTERM)
      try expect(try ended.program.exitStatus() == 0, "a clean end")
      try expect(try Self.directories(in: place).isEmpty, "nothing is left by a signal")

      let killed = try Self.demo(in: place)
      try killed.call("vault/status")
      killed.program.send(signal: SIGKILL)
      _ = try killed.program.exitStatus()
      let left = try Self.directories(in: place)
      try expect(left.count == 1, "a killed one leaves its directory: \(left)")
      let running = try Self.demo(in: place)
      try running.call("vault/status")
      let between = try Self.directories(in: place)
      try expect(between.count == 1 && between != left, "the next removes it: \(between)")
      let beside = try Self.demo(in: place)
      try beside.call("vault/status")
      try expect(try Self.directories(in: place).count == 2, "and leaves one that is in use")
      try expect(try running.call("card/list")["total"] as? Int ?? 0 > 0, "which goes on")
    }
  }

  @Test("L A client's demo does not touch the vault; deleting it returns to the vault")
  func besideVault() async throws {
    try await onThread {
      let place = try TemporaryDirectory()
      let vault = place.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault, environment: ["XDG_RUNTIME_DIR": place.path])
      try client.createVault()
      try client.createNote("mine")
      try expect(
        try client.kindOfError("vault/create", #"{"demo":true}"#) == "vault.exists", "not while unlocked")
      try client.call("session/lock")

      let created = try client.call("vault/create", #"{"demo":true,"password":"my own demo"}"#)
      try expect((created["demo"] as? [String: any Sendable])?["password"] is NSNull, "its own password")
      try expect(try client.call("card/search", #"{"query":"mine"}"#)["total"] as? Int == 0, "another vault")
      try client.call("session/lock")
      try expect(
        try client.kindOfError("session/unlock", #"{"password":"demo demo"}"#) == "auth.wrongPassword",
        "a lock")
      try client.call("vault/delete", #"{"password":"my own demo","confirm":"demo.quickvault"}"#)
      let status = try client.call("vault/status")
      try expect(status["path"] as? String == vault && status["demo"] == nil, "back at the vault: \(status)")
      try expect(try Self.directories(in: place).isEmpty, "the demo is gone")
      try client.unlock()
      try expect(try client.call("card/list")["total"] as? Int == 1, "the vault is as it was")
    }
  }

  @Test("L The demo takes no --vault, and creating another vault needs a password")
  func misuse() async throws {
    let result = try await onThread { try run(Repository.program(), ["demo", "--vault", "/nowhere/v"]) }
    #expect(result.status == 64 && result.error.contains("demo uses its own vault"))
    let answer = try await onThread {
      let place = try TemporaryDirectory()
      return try run(
        Repository.program(), ["--vault", place.appending("v")],
        input: #"{"jsonrpc":"2.0","id":1,"method":"vault/create","params":{"demo":false}}"#)
    }
    #expect(answer.output.contains(#""code":-32602"#))
  }
}
