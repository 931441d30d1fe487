import VaultStore

/// Copies the log of a vault's file into the file on another thread, so that a copy of the file alone is complete.
///
/// No request waits for it. It stays incomplete while another process reads an older state.
final class Checkpoint: @unchecked Sendable {
  /// The last commit in the log when it began.
  private let last: CommitMark
  /// A connection for the other thread alone.
  private let file: VaultFile
  private var task: ParallelTask<Bool>?

  /// Begins it on a new connection.
  init(of file: VaultFile, upTo last: CommitMark) throws {
    (self.last, self.file) = (last, try file.duplicate())
    task = ParallelTask { [self] in try run() }
  }

  private func run() throws -> Bool {
    defer { try? file.close() }
    return try file.checkpoint(emptiesLog: false)
  }

  var isRunning: Bool { task?.result == nil }

  /// The commit up to which the file is complete; nil if that is unknown.
  var completed: CommitMark? {
    guard case .success(true) = task?.result else { return nil }
    return last
  }

  /// Waits for its end, unless it has not begun yet: then it does not any more.
  func join() {
    _ = try? task?.join()
    try? file.close()
  }
}

extension OpenVault {
  /// Whether the log has commits that the file may lack.
  var needsCheckpoint: Bool {
    guard let last = file.lastCommit else { return false }
    return !last.isOfEmptyLog && checkpoint?.completed != last
  }

  /// Begins a checkpoint, unless one runs.
  func beginCheckpoint() {
    guard needsCheckpoint, checkpoint?.isRunning != true, let last = file.lastCommit else { return }
    checkpoint = try? Checkpoint(of: file, upTo: last)
  }
}
