import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Service

/// When a vault is synchronised unasked, and what is published before a lock.
@Suite("Synchronisation unasked", .timeLimit(.minutes(10))) struct SyncServiceTests {
  private static let card =
    #"{"type":"text","title":"Office","group":"personal","fields":{"text":"Floor 12"}}"#

  /// Makes a card in a vault that is synchronised and has everything published, locks the vault, and checks that the card is
  /// published when clients are told of the lock.
  private static func expectPublished(
    atLock reason: String, settings: String = "{}",
    by lock: @escaping @Sendable (SharedVault, SharedClient) throws -> Void
  ) async throws {
    try await onThread {
      let vault = try SharedVault()
      let client = try vault.connect()
      let folder = try Self.makeSynchronised(vault, client, settings: settings)
      let published = try Self.segments(in: folder)
      try #require(try client.call("card/create", Self.card).result != nil)
      try lock(vault, client)
      #expect(try client.message("session/didLock")["params"]?["reason"]?.string == reason)
      #expect(try Self.segments(in: folder).subtracting(published).count == 1)
    }
  }

  /// Makes a vault that is synchronised, and returns its folder.
  @discardableResult private static func makeSynchronised(
    _ vault: SharedVault, _ client: SharedClient, settings: String = "{}"
  ) throws -> String {
    let kdf = #"{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}"#
    try client.call("vault/create", #"{"password":"correct horse 电池","kdf":\#(kdf)}"#)
    try #require(try client.call("settings/update", settings).result != nil)
    let folder = vault.directory.appending("folder")
    try #require(try client.call("sync/enable", #"{"folder":"\#(folder)"}"#).result != nil)
    return folder
  }

  private static func segments(in folder: String) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.contains("/changes/") })
  }

  /// Waits until the folder is watched: then it is synchronised once more.
  private static func waitUntilWatched(_ vault: SharedVault, _ client: SharedClient) throws {
    let first = try #require(try client.call("sync/now").result?["lastSynced"]?.string)
    let deadline = Deadline.usual
    var last: String? = first
    // The watch asks for one more run, where it begins late.
    while last == first || vault.time.hasTimer(dueWithin: SyncService.publishDelay), deadline.milliseconds > 0
    {
      try vault.time.advance(SyncService.arrivalDelay)
      let status = try client.call("sync/status").result
      if status?["state"] == "idle" { last = status?["lastSynced"]?.string }
    }
    #expect(last != first)
  }

  @Test("S A change is in the folder when a lock is done: one on request")
  func request() async throws {
    try await Self.expectPublished(atLock: "request") { _, client in try client.call("session/lock") }
  }

  @Test("S A change is in the folder when a lock is done: one after a time without activity")
  func idle() async throws {
    try await Self.expectPublished(atLock: "timeout") { vault, _ in try vault.time.advance(300_000) }
  }

  @Test("S A change is in the folder when a lock is done: one in the background")
  func background() async throws {
    try await Self.expectPublished(atLock: "background", settings: #"{"lockOnBackground":true}"#) {
      try $1.notify("client/didEnterBackground")
    }
  }

  @Test("S A change is published soon, and what synchronised already leaves nothing to publish")
  func soon() async throws {
    try await onThread {
      let vault = try SharedVault()
      let client = try vault.connect()
      try Self.makeSynchronised(vault, client)
      try Self.waitUntilWatched(vault, client)
      try #require(try client.call("sync/now").result != nil)
      #expect(!vault.time.hasTimer(dueWithin: SyncService.publishDelay))
      try #require(try client.call("card/list").result != nil)
      // Waiting may have taken more than the minute in which no password is needed.
      try #require(try client.call("session/unlock", #"{"password":"correct horse 电池"}"#).result != nil)
      let path = vault.directory.appending("backup.quickvault")
      let backup = try client.call("vault/backup", #"{"path":"\#(path)"}"#)
      try #require(backup.result != nil, "\(backup.text)")
      #expect(!vault.time.hasTimer(dueWithin: SyncService.publishDelay))
      try #require(try client.call("card/create", Self.card).result != nil)
      #expect(vault.time.hasTimer(dueWithin: SyncService.publishDelay))
    }
  }

  @Test("S What arrives while the vault is synchronised is not left until the next poll")
  func arrivalDuringRun() throws {
    let timer = RecordingTimer()
    let sync = SyncService(on: try EventLoop(), clock: ControlledTime())
    sync.use(timer)
    sync.begin(isEnabled: true, at: 1)
    sync.willRun()
    sync.schedule(after: SyncService.arrivalDelay)
    #expect(timer.delay == nil)
    sync.didCancel()
    #expect(timer.delay == .milliseconds(SyncService.arrivalDelay))
    sync.willRun()
    sync.didCancel()
    #expect(timer.delay == .milliseconds(SyncService.pollInterval))
  }
}

/// When clients are told how the vault is synchronised.
@Suite("Reports of synchronisation") struct SyncReportTests {
  private let sync: SyncService

  init() throws {
    sync = SyncService(on: try EventLoop(), clock: ControlledTime())
    sync.begin(isEnabled: true, at: 1)
  }

  /// Reports the state, as at the end of a request, if there may be something to report.
  private func report() -> Bool { sync.hasRun && sync.isUnreported(nil, nil) }

  @Test(
    "S A client that was told of an attempt is told of its end, though nothing else changed",
    arguments: [true, false])
  func end(wasTold: Bool) {
    sync.willRun()
    sync.didCancel()
    #expect(report())
    #expect(!report())
    sync.willRun()
    if wasTold { sync.didTell() }
    #expect(!report())
    sync.didCancel()
    #expect(report() == wasTold)
  }

  @Test("S Of two attempts, the end of each is told")
  func two() {
    sync.willRun()
    sync.willRun()
    sync.didCancel()
    #expect(report())
    sync.didCancel()
    #expect(report())
    #expect(!report())
  }
}

/// A timer that only notes for when it is set.
private final class RecordingTimer: EventLoop.Timer {
  private let state = Mutex<Duration?>(nil)

  var delay: Duration? { state.withLock { $0 } }
  func set(after span: Duration) { state.withLock { $0 = span } }
  func cancel() { state.withLock { $0 = nil } }
}
