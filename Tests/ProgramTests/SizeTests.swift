import Foundation
import TestSamples
import TestSupport
import Testing

/// Large frames, and many cards.
@Suite("Sizes", .serialized) struct SizeTests {
  @Test(
    "A frame of 33 MiB is refused without being buffered, and the next request is answered",
    arguments: Framing.allCases)
  func largeFrame(_ framing: Framing) async throws {
    let (refusal, peak) = try await onThread {
      let directory = try TemporaryDirectory()
      let client = try ProgramClient(vault: directory.appending("v"), framing: framing)
      try client.call("vault/status")
      let message = #"{"jsonrpc":"2.0","id":"large","method":"x","params":{"text":""#
      let bytes =
        Array(message.utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 33 << 20) + Array(#""}}"#.utf8)
      try client.program.channel.write(framing.frame(bytes))
      let refusal = try client.program.channel.message()
      try client.call("vault/status")
      return (refusal, try Self.peakMemory(of: client.program.process))
    }
    #expect(refusal.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"#))
    #expect(refusal.contains(#""kind":"rpc.frameTooLarge""#))
    // A line shows its length only as it comes, so that much of it is kept before it is too long.
    #expect(peak < (framing == .headers ? 64 << 20 : 128 << 20), "\(peak >> 20) MiB")
  }

  @Test("Successive frames of 33 MiB do not increase the memory", arguments: Framing.allCases)
  func largeFrames(_ framing: Framing) async throws {
    let peaks = try await onThread {
      let directory = try TemporaryDirectory()
      let client = try ProgramClient(vault: directory.appending("v"), framing: framing)
      let frame = framing.frame([UInt8](repeating: UInt8(ascii: "7"), count: 33 << 20))
      return try (0..<4).map { _ in
        try client.program.channel.write(frame)
        _ = try client.program.channel.message()
        return try Self.peakMemory(of: client.program.process)
      }
    }
    #expect(peaks[3] <= peaks[1] + (4 << 20), "\(peaks)")
    #expect(peaks[3] < 128 << 20, "\(peaks)")
  }

  /// The most memory that a process has had, in bytes (VmHWM of proc(5)).
  private static func peakMemory(of process: pid_t) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    guard let match = status.firstMatch(of: /VmHWM:\s+(\d+) kB/), let kibibytes = Int(match.1) else {
      throw Failure("/proc tells no VmHWM: \(status)")
    }
    return kibibytes << 10
  }

  @Test("R7 R16 10,000 cards: the first page, the last one, and a search through all of them")
  func manyCards() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let vault = directory.appending("vault.quickvault")
      let client = try ProgramClient(vault: vault)
      try client.createVault()
      let cards = (0..<10_000).map(SampleCard.init(number:))
      for portion in stride(from: 0, to: cards.count, by: 500) {
        try Self.create(Array(cards[portion..<portion + 500]), by: client.program.channel)
      }

      let page = try client.call("card/list")
      try expect(page["total"] as? Int == 10_000, "the total")
      let items = page["items"] as? [[String: any Sendable]] ?? []
      let pinned = cards.filter(\.isPinned).map(\.title).reversed() as [String]
      try expect(items.map { $0["title"] as? String } == Array(pinned.prefix(50)), "the first page")

      let needle = "velvet"
      let expected = cards.filter { $0.mentions(needle) }
      try expect(expected.count > 100, "enough to find")
      let hits = try client.call("card/search", #"{"query":"\#(needle.uppercased())","limit":1000}"#)
      try expect(hits["total"] as? Int == expected.count, "\(hits["total"] ?? 0) hits, not \(expected.count)")
      try expect(
        try client.call("card/search", #"{"query":"nowhere at all"}"#)["total"] as? Int == 0, "no hit")
      try expect(
        try client.call("card/list", #"{"group":"company","type":"invoice"}"#)["total"] as? Int
          == cards.filter { $0.group == "company" && $0.type == "invoice" }.count, "the filter")

      _ = try client.program.finish()
      let again = try ProgramClient(vault: vault)
      let unlocked = try again.call("session/unlock", #"{"password":"\#(ProgramClient.password)"}"#)
      try expect(unlocked["cardCount"] as? Int == 10_000, "all are there")
      try expect(unlocked["integrity"] as? String == "intact", "and whole")
    }
  }

  /// Stores cards by one batch.
  private static func create(_ cards: [SampleCard], by channel: Channel) throws {
    let requests = cards.enumerated().map { number, card in
      let parameters = String(decoding: card.parameters.utf8, as: UTF8.self)
      return #"{"jsonrpc":"2.0","id":\#(number),"method":"card/create","params":\#(parameters)}"#
    }
    try channel.send("[" + requests.joined(separator: ",") + "]")
    let answer = try channel.message()
    try expect(
      answer.hasPrefix("[") && !answer.contains(#""error":{"#),
      "every card is stored: \(answer.prefix(2_000))")
    for _ in cards { _ = try channel.message() }
  }
}
