import Testing
import Wire

@testable import quickvault_benchmark

/// Runs the real programs, which are built beside the tests.
@Suite(.timeLimit(.minutes(15))) struct AttachmentBenchTests {
  @Test("the picture has as many bytes as were asked for, and is the same again")
  func picture() {
    let picture = NoisePicture(bytes: 10 << 20).bytes
    #expect(picture.count == 10 << 20)
    #expect(picture.prefix(8).elementsEqual([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
    #expect(picture == NoisePicture(bytes: 10 << 20).bytes)
  }

  @Test("every row of attachments is measured")
  func rows() throws {
    let directory = "/tmp/quickvault-benchmark-tests-\(UInt64.random(in: 0...(.max)))"
    try Files.makeDirectory(directory)
    defer { try? Files.remove(directory) }
    let server = try Program.ownDirectory() + "/quickvault"
    let vault = try VaultFiles(server: server, directory: directory).vault(of: 20)
    let effort = Effort(leastRounds: 1, mostRounds: 1, budget: 0)
    let bench = Bench(
      count: 20, server: server, echo: "", vault: vault, directory: directory, effort: effort)
    try bench.measureAttachments()
    let measured = Set(bench.results.measurements.map(\.work))
    let notes = bench.results.notes
    #expect(notes.count == 1 && notes.first?.contains("4,000 × 3,000") == true, "\(notes)")
    #expect(
      measured == [.attachPath, .exportPath, .attachData, .getData, .memoryAttached, .marking, .thumbnail])
    #expect(bench.results.floors.map(\.kind) == [.content])
    #expect(bench.results.measurements.last?.others[.imageMagick] != nil)
  }

  @Test("without the worker the notes say so")
  func withoutWorker() throws {
    let directory = "/tmp/quickvault-benchmark-tests-\(UInt64.random(in: 0...(.max)))"
    try Files.makeDirectory(directory)
    defer { try? Files.remove(directory) }
    let server = "\(directory)/quickvault"
    try Files.copy(try Program.ownDirectory() + "/quickvault", to: server)
    let vault = try VaultFiles(server: server, directory: directory).vault(of: 20)
    let bench = Bench(
      count: 20, server: server, echo: "", vault: vault, directory: directory,
      effort: Effort(leastRounds: 1, mostRounds: 1, budget: 0))
    try bench.measureAttachments()
    #expect(bench.results.measurements.isEmpty)
    #expect(bench.results.notes.count == 1)
  }
}
