import Glibc
import TestSamples
import Testing
import Wire

@testable import quickvault_benchmark

/// Runs the real programs, which are built beside the tests.
@Suite(.timeLimit(.minutes(15))) struct ClientTests {
  private let programs: String

  init() throws {
    programs = try Program.ownDirectory()
  }

  @Test("frames that are echoed come back as they went")
  func echo() throws {
    let client = try Client(Peer(programs + "/frame-echo"))
    for text in ["", "你好", String(repeating: "x", count: 20_000)] {
      let request = client.request("any", ["text": .string(text)])
      let exchange = try client.exchange(request)
      #expect(request.bytes.suffix(exchange.body.count) == exchange.body[...])
      #expect(exchange.nanoseconds > 0)
    }
    try client.close()
  }

  @Test("a vault is made, checked and used again, and its memory is read")
  func vault() throws {
    let directory = "/tmp/quickvault-benchmark-tests-\(UInt64.random(in: 0...(.max)))"
    try Files.makeDirectory(directory)
    defer { try? Files.remove(directory) }
    let workshop = directory + "/workshop"
    try Files.makeDirectory(workshop)
    let files = VaultFiles(server: programs + "/quickvault", directory: directory, memory: workshop)
    let path = try files.vault(of: 40)
    #expect(unsafe rmdir(workshop) == 0, "nothing is left there")
    #expect(Files.size(path + "-wal") == 0)
    #expect(try files.vault(of: 40) == path)
    try files.copy(of: path, to: directory + "/copy.quickvault")

    let client = try Client(server: files.server, vault: directory + "/copy.quickvault")
    try client.initialize()
    #expect(throws: BenchmarkError.self) { _ = try client.ask("card/list") }
    let unlocked = try client.ask("session/unlock", ["password": .string(VaultFiles.password)])
    #expect(unlocked["cardCount"]?.integer == 40)
    try client.ask(all: (40..<50).map { ("card/create", SampleCard(number: $0).parameters) })
    #expect(try client.ask("card/list")["total"]?.integer == 50)
    #expect(try client.time("vault/status") > 0)
    let memory = try Memory(of: client.process)
    #expect(memory.resident > 1 << 20 && memory.peak >= memory.resident)
    try client.end()
  }

  @Test("a program that ends is an error, and its status is told")
  func ended() throws {
    let client = try Client(Peer("true"))
    #expect(throws: BenchmarkError.self) { _ = try client.ask("any") }
    #expect(try Peer("sh", ["-c", "exit 7"]).end() == 7)
    #expect(try Peer("sh", ["-c", "kill -TERM $$"]).end() == 143)
    #expect(throws: BenchmarkError.self) { _ = try Peer("quickvault-no-such-program") }
    #expect(try output(of: "sh", ["-c", "echo one; echo two"]) == "one")
  }

  @Test("lines of /proc")
  func memoryLines() {
    #expect(Memory.bytes("VmRSS:", in: "VmHWM:\t  12 kB\nVmRSS:\t    5308 kB\n") == 5_435_392)
    #expect(Memory.bytes("Pss:", in: "Pss_Anon: 5 kB\n") == nil)
  }
}
