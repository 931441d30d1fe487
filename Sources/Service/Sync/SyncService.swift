import Vault
import VaultInterface
import Wire

/// Schedules synchronisation, and keeps the result of the last attempt (S).
final class SyncService {
  /// How long after a change it is published, so that several are published together.
  static let publishDelay: Int64 = 200
  /// How long after something arrived in the folder it is applied.
  static let arrivalDelay: Int64 = 100
  /// How long a lock waits until changes are published, in milliseconds: a lock that a user requested, and an automatic
  /// one.
  static let lockTimeouts: (byPerson: Int64, byNobody: Int64) = (50, 500)
  /// The polling interval for file systems without inotify, in milliseconds.
  static let pollInterval: Int64 = 30_000

  private let clock: any Clock
  private let folder: FolderWatcher
  private var timer: (any EventLoop.Timer)?
  /// When the timer fires, in milliseconds of the boot clock; nil if it does not.
  private var due: Int64?

  /// Whether the open vault is synchronised.
  private(set) var isEnabled = false
  /// How many attempts run. There is more than one if a client asks for one while another lets requests pass.
  private var runs = 0
  var isRunning: Bool { runs > 0 }
  /// When to synchronise again for what happened during an attempt, in milliseconds of the boot clock; nil if nothing did.
  private var dueAfterRun: Int64?
  /// The attempt that nobody asked for.
  private var automaticRun: Task<Void, Never>?
  /// How many changes this process made while the vault was synchronised, and how many of them are published.
  private var changes = (made: 0, published: 0)
  /// The generation of the vault that the last of those changes, or the last attempt, left.
  private var generation: Int64?
  /// When the vault was last synchronised; nil before.
  private(set) var lastSynced: Timestamp?
  /// Why the last attempt failed, and when the first of those since the last success was made.
  private(set) var failure: (error: ErrorDescriptor, since: Timestamp)?
  /// The problems that the last attempt found in the streams of other replicas.
  private(set) var problems: [Identifier: SyncProblem] = [:]
  /// Whether another machine had made a new vault key the last time.
  private(set) var hasNewKey = false
  /// Whether the directories that are to be watched may be others since they were last looked for.
  private(set) var isWatchDue = false
  /// Whether an attempt ended since clients were told.
  private(set) var hasRun = false
  /// The state that was last reported to clients.
  private var reportedState: ReportedState?

  private struct ReportedState: Equatable {
    var status: SyncStatus?
    var failure: String?
    var hasNewKey: Bool
    var mirror: AccountService.MirrorReport?
  }

  init(on loop: EventLoop, clock: any Clock) {
    self.clock = clock
    folder = FolderWatcher(on: loop)
  }

  /// Takes the timer whose action synchronises the vault. Without one it happens on request only.
  func use(_ timer: (any EventLoop.Timer)?) {
    self.timer = timer
  }

  private var now: Timestamp { Timestamp(milliseconds: clock.wall) }

  /// Synchronises after a time at the latest, or as soon as the attempt that runs ends.
  func schedule(after milliseconds: Int64) {
    guard isEnabled else { return }
    let time = clock.boot + milliseconds
    guard !isRunning else { return dueAfterRun = min(dueAfterRun ?? time, time) }
    guard due.map({ $0 > time }) ?? true else { return }
    due = time
    timer?.set(after: .milliseconds(milliseconds))
  }

  /// Handles that the vault was opened, or that synchronisation was turned on.
  ///
  /// - Parameter generation: that of the vault.
  func begin(isEnabled: Bool, at generation: Int64?) {
    (self.isEnabled, self.generation) = (isEnabled, generation)
    if !isEnabled { stop() }
  }

  /// Handles that the vault was locked, or that synchronisation was turned off.
  func stop() {
    (isEnabled, due, dueAfterRun, failure, reportedState) = (false, nil, nil, nil, nil)
    (changes, hasNewKey, problems) = ((0, 0), false, [:])
    timer?.cancel()
    folder.stop()
  }

  /// Handles that a request may have changed the vault.
  ///
  /// - Parameter generation: that of the vault, which is another one if it did.
  func didAnswer(at generation: Int64?) {
    guard isEnabled, generation != self.generation else { return }
    self.generation = generation
    changes.made += 1
    schedule(after: Self.publishDelay)
  }

  /// Whether a change waits to be published.
  var hasUnpublished: Bool { isEnabled && changes.published < changes.made }

  /// Publishes what was changed, and notes it.
  ///
  /// - Throws: what `body` throws.
  func publish(_ session: VaultSession, _ body: () async throws -> Void) async throws {
    let made = changes.made
    try await body()
    didPublish(made, session)
  }

  private func didPublish(_ made: Int, _ session: VaultSession) {
    // No more than there are: the vault may have been closed meanwhile.
    changes.published = max(changes.published, min(made, changes.made))
    generation = session.generation
  }

  /// Begins an attempt that nobody asked for.
  func runAutomatically(_ attempt: @escaping @Sendable () async -> Void) {
    automaticRun = Task { await attempt() }
  }

  /// Gives up the attempt that nobody asked for, so that a lock need not wait for it.
  func cancelAutomaticRun() {
    automaticRun?.cancel()
  }

  /// Handles that synchronisation was turned off.
  func disable() {
    stop()
    hasRun = true
  }

  /// Handles that an attempt begins.
  func willRun() {
    runs += 1
    due = nil
    timer?.cancel()
  }

  /// Runs an attempt and notes how it went.
  ///
  /// - Throws: what `body` throws.
  func run(_ session: VaultSession, _ body: () async throws -> SyncStatus) async throws {
    willRun()
    let made = changes.made
    do {
      let status = try await body()
      didPublish(made, session)
      didEnd()
      didRun(status)
    } catch let error where session.isLocked || error is CancellationError {
      didCancel()
      throw error
    } catch let error as SyncError where !error.isAboutFolder {
      // Refused before anything was tried.
      didCancel()
      if error == .notEnabled { stop() }
      throw error
    } catch {
      didFail(ErrorDescriptor(error))
      throw error
    }
  }

  /// Handles that an attempt was given up, as for a lock.
  func didCancel() {
    didEnd()
    schedule(after: Self.pollInterval)
  }

  private func didEnd() {
    runs -= 1
    hasRun = true
    guard let time = dueAfterRun, !isRunning else { return }
    dueAfterRun = nil
    schedule(after: max(0, time - clock.boot))
  }

  /// Handles that the vault was synchronised.
  func didRun(_ status: SyncStatus) {
    (isEnabled, hasRun) = (true, true)
    (lastSynced, failure) = (now, nil)
    problems = [:]
    for other in status.others { problems[other.id] = other.problem }
    hasNewKey = status.hasNewKey
    isWatchDue = true
    schedule(after: Self.pollInterval)
  }

  /// Watches the directories where something of other machines arrives, unless it already does.
  func watchFolder(_ session: VaultSession) async {
    isWatchDue = false
    let watched = folder.directories
    let watch = try? await session.withSyncDirectories { $0 == watched ? nil : FolderWatcher.Watch($0) }
    // The vault may have been locked meanwhile.
    guard let watch, isEnabled else { return }
    folder.use(watch) { [weak self] in self?.schedule(after: Self.arrivalDelay) }
    // What arrived there before it was watched is not told.
    schedule(after: Self.arrivalDelay)
  }

  private func didFail(_ error: ErrorDescriptor) {
    didEnd()
    failure = (error, failure?.since ?? now)
    folder.stop()
    schedule(after: Self.pollInterval)
  }

  /// Handles that a client was told of an attempt that still runs: its end is to be told, too.
  func didTell() {
    if isRunning { reportedState = nil }
  }

  /// Returns whether this status differs from the last reported one, and records it as reported, unless an attempt runs:
  /// its end is to be told, too.
  ///
  /// - Parameter status: nil if the vault is not synchronised.
  func isUnreported(_ status: SyncStatus?, _ mirror: AccountService.MirrorReport?) -> Bool {
    let state = ReportedState(
      status: status, failure: failure?.error.kind, hasNewKey: hasNewKey,
      mirror: status == nil ? nil : mirror)
    defer { (reportedState, hasRun) = (isRunning ? nil : state, false) }
    return state != reportedState
  }
}
