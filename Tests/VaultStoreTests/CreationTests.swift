import Foundation
import Synchronization
import Testing

@testable import VaultStore

@Suite struct CreationTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test("R14 a created vault holds its content, and again after closing")
  func content() throws {
    var content = Sample.content
    content.cards = [Sample.card(12)]
    content.vault.plaintextSettings = "language=en\n"
    for file in [try VaultFile.create(at: directory.vault, with: content), try .open(at: directory.vault)] {
      try file.read { transaction throws in
        #expect(try transaction.vault() == content.vault)
        #expect(try transaction.slots() == content.slots)
        #expect(try transaction.documents() == content.documents)
        #expect(try transaction.card(content.cards[0].id) == content.cards[0])
      }
      try file.close()
    }
    #expect(try directory.names() == ["vault.quickvault"])
  }

  @Test(
    "R10 file, log and shared memory 0600, new directories 0700, whatever the umask", arguments: [0, 0o777])
  func modes(mask: UInt32) async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String, mask] in
      umask(mask)
      let file = try VaultFile.create(at: path + "/a/b/vault", with: Sample.content)
      try file.appendEvent(EventRow(at: 1, kind: "unlocked"))
      for name in ["a", "a/b"] { #expect(try mode(of: path + "/" + name) == 0o700) }
      for name in ["", "-wal", "-shm"] { #expect(try mode(of: path + "/a/b/vault" + name) == 0o600) }
    }
    #expect(try mode(of: directory.path + "/a/b/vault") == 0o600)
  }

  @Test("an existing file with the name is left alone")
  func alreadyExists() throws {
    try VaultFile.create(at: directory.vault, with: Sample.content).close()
    let before = try Footprint(directory.vault)
    #expect(throws: StoreError.alreadyExists) {
      _ = try VaultFile.create(at: directory.vault, with: Sample.content)
    }
    #expect(try Footprint(directory.vault) == before)
    let link = directory.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
    #expect(throws: StoreError.alreadyExists) { _ = try VaultFile.create(at: link, with: Sample.content) }
    #expect(try directory.names() == ["link", "vault.quickvault"])
  }

  @Test("of threads that create a vault at once, exactly one succeeds")
  func race() throws {
    for round in 0..<10 {
      let path = directory.path + "/vault\(round)"
      let results = Mutex<[StoreError?]>([])
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        var failure: StoreError?
        do { try VaultFile.create(at: path, with: Sample.content).close() } catch {
          failure = error as? StoreError ?? .inputOutput
        }
        results.withLock { [failure] in $0.append(failure) }
      }
      let outcomes = results.withLock { $0 }
      #expect(outcomes.filter { $0 == nil }.count == 1)
      // `busy` for one that would have had to wait longer for its turn.
      #expect(outcomes.allSatisfy { [nil, .alreadyExists, .busy].contains($0) })
      try VaultFile.open(at: path).close()
    }
    #expect(try directory.names() == (0..<10).map { "vault\($0)" })
  }

  @Test(
    "R14 killed at any step, no half vault has the name, and the next creation tidies up",
    arguments: CreationStep.allCases)
  func killed(step: CreationStep) async throws {
    let directory = directory
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = directory.vault as String, step] in
      _ = try VaultFile.create(at: path, with: Sample.content, settings: ConnectionSettings()) {
        if $0 == step { kill(getpid(), SIGKILL) }
      }
    }
    let names = try directory.names()
    #expect(names.contains("vault.quickvault") == (step == .named))
    #expect(names.contains { $0.hasPrefix(".quickvault-unfinished-") } == ![.locked, .named].contains(step))
    if step == .named {
      #expect(throws: StoreError.alreadyExists) {
        _ = try VaultFile.create(at: directory.vault, with: Sample.content)
      }
    } else {
      try VaultFile.create(at: directory.vault, with: Sample.content).close()
    }
    #expect(try directory.names() == ["vault.quickvault"])
    #expect(try VaultFile.open(at: directory.vault).read { try $0.vault() } == Sample.content.vault)
  }

  @Test("a creation that fails leaves nothing behind", arguments: CreationStep.allCases)
  func failed(step: CreationStep) throws {
    guard step != .named else { return }
    #expect(throws: StoreError.inputOutput) {
      _ = try VaultFile.create(at: directory.vault, with: Sample.content, settings: ConnectionSettings()) {
        if $0 == step { throw StoreError.inputOutput }
      }
    }
    #expect(try directory.names() == [])
  }

  @Test("contradictory content is refused completely")
  func contradictions() throws {
    var content = Sample.content
    content.slots.append(Sample.slot)
    #expect(throws: StoreError.recordExists) { _ = try VaultFile.create(at: directory.vault, with: content) }
    content = Sample.content
    content.cards = [Sample.card(1), Sample.card(1)]
    #expect(throws: StoreError.rowIDCollision) {
      _ = try VaultFile.create(at: directory.vault, with: content)
    }
    #expect(try directory.names() == [])
  }

  @Test("the log of a vault that is no more does not find its way into a new one")
  func staleLog() throws {
    for name in ["-wal", "-shm", "-journal"] {
      try Data(repeating: 0x37, count: 9_000).write(to: URL(filePath: directory.vault + name))
    }
    let file = try VaultFile.create(at: directory.vault, with: Sample.content)
    try file.insert([Sample.card(1)])
    #expect(try file.isStructureIntact())
    try file.close()
    #expect(try directory.names() == ["vault.quickvault"])
  }

  @Test("while another creates in the directory, the wait has an end")
  func directoryBusy() throws {
    let lock = try FileLock(directory: directory.path, milliseconds: 0)
    let isHeld = lock.isHeld
    #expect(isHeld)
    #expect(throws: StoreError.busy) {
      _ = try VaultFile.create(at: directory.vault, with: Sample.content, settings: Sample.impatient) { _ in }
    }
    #expect(try directory.names() == [])
  }

  @Test("a relative path is resolved against the working directory, and ~ is an ordinary character")
  func relativePath() async throws {
    let directory = directory
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      try #require(chdir(path) == 0)
      let file = try VaultFile.create(at: "~/vault", with: Sample.content)
      try #require(chdir("/") == 0)
      try file.appendEvent(EventRow(at: 1, kind: "unlocked"))
      #expect(file.path == path + "/~/vault")
      try file.close()
    }
    #expect(try VaultFile.open(at: directory.path + "/~/vault").read { try $0.events().count } == 1)
  }

  @Test(
    "a directory that cannot be made is an error of its own",
    arguments: ["/proc/no/vault", "/proc/self/no/vault"])
  func directoryThatCannotBeMade(path: String) {
    #expect(throws: StoreError.missingDirectory) { try VaultFile.create(at: path, with: Sample.content) }
  }
}
