import Foundation
import Glibc
import TestSupport
import Testing

/// What a client sends behind its own lock, without waiting for the answer.
@Suite("Piped locks") struct PipedLockTests {
  private static let unlock = ("session/unlock", #"{"password":"\#(ProgramClient.password)"}"#)
  private static let search = ("card/search", #"{"query":"piped"}"#)
  private static let lock = ("session/lock", "{}")

  private static func start(
    _ framing: Framing, isShared: Bool, _ body: (ProgramClient) throws -> Void
  ) throws {
    let directory = try TemporaryDirectory()
    let shared = try SharedVault()
    let client =
      try isShared
      ? shared.client(framing: framing)
      : ProgramClient(vault: directory.appending("vault.quickvault"), framing: framing)
    try client.createVault()
    try client.createNote("piped")
    try body(client)
  }

  /// Sends requests in one write, or in two with half a message at the end of the first.
  ///
  /// - Returns: whether each succeeded, in the order of the answers, which is theirs.
  private static func pipe(
    _ requests: [(method: String, parameters: String)], to client: ProgramClient, keepingBack count: Int = 0
  ) throws -> [Bool] {
    let channel = client.program.channel
    let bytes = requests.enumerated().flatMap { number, request in
      channel.framing.frame(
        Array(
          #"{"jsonrpc":"2.0","id":"p\#(number)","method":"\#(request.method)","params":\#(request.parameters)}"#
            .utf8))
    }
    try channel.write(bytes.dropLast(count))
    var answers: [Bool] = []
    while answers.count < requests.count {
      if count > 0, answers.count == requests.count - 1 { try channel.write(bytes.suffix(count)) }
      let message = try channel.message()
      guard message.hasPrefix(#"{"jsonrpc":"2.0","id":"p\#(answers.count)","#) else { continue }
      answers.append(message.contains(#""result":"#))
    }
    return answers
  }

  @Test(
    "R12 U What a client sends behind its own lock runs after it", arguments: Framing.allCases, [false, true])
  func runs(framing: Framing, isShared: Bool) async throws {
    try await onThread {
      try Self.start(framing, isShared: isShared) { client in
        let requests = [
          Self.search, Self.lock, Self.search, Self.unlock, Self.search, Self.lock, Self.unlock, Self.search,
        ]
        for count in [0, 20] {
          let answers = try Self.pipe(requests, to: client, keepingBack: count)
          try expect(answers == [true, true, false, true, true, true, true, true], "\(count): \(answers)")
        }
        try client.call("card/list")
      }
    }
  }

  @Test(
    "R10 What a client sent behind its own lock is not in memory once it is answered",
    .enabled(if: geteuid() == 0, "reading another process's memory takes root"), arguments: Framing.allCases)
  func isForgotten(framing: Framing) async throws {
    try await onThread {
      try Self.start(framing, isShared: false) { client in
        let word = "SECRET" + UUID().uuidString
        let card = #"{"title":"\#(word)","group":"personal","type":"text","fields":{"text":"\#(word)"}}"#
        let wrong = ("session/unlock", #"{"password":"wrong \#(word)"}"#)
        let answers = try Self.pipe(
          [Self.lock, ("card/create", card), wrong, ("card/create", card)], to: client)
        try expect(answers == [true, false, false, false], "\(answers)")
        let deadline = Deadline.usual
        while try ProcessMemory(of: client.program.process).occurrences(of: word) > 0 {
          try expect(deadline.milliseconds > 0, "the process has a secret")
        }
      }
    }
  }
}
