import Synchronization
import Wire

extension VaultService {
  /// How long the end of a service or a conversation waits, in milliseconds: for new tokens, because the provider may not accept
  /// the old ones again, and for work that the lock has cancelled.
  private static let timeout: Int64 = 2_000

  /// Publishes what was changed, and keeps tokens that are being replaced, before a lock with which the service ends.
  func finishBeforeEnd() async {
    await publishBeforeLock(within: SyncService.lockTimeouts.byNobody)
    guard account.refresh.task != nil else { return }
    _ = await wait(Self.timeout) {
      try? await $0.account.awaitRefresh()
      return true
    }
  }

  /// Waits until cancelled work has closed its connection to the vault: the last one removes the log, which other programs take
  /// for that of an open vault.
  func awaitCancelledWork() async {
    guard session.isWorking else { return }
    _ = await wait(Self.timeout) {
      await $0.session.awaitBackgroundWork()
      return true
    }
  }

  /// Runs work, and waits for it for a limited time. It goes on after that.
  ///
  /// - Parameter limit: the longest wait, in milliseconds.
  /// - Returns: what the work returns; false if it did not end in time.
  func wait(
    _ limit: Int64, for work: @escaping @Sendable (isolated VaultService) async -> Bool
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      let result = FirstResult(continuation)
      guard let timer = try? configuration.makeTimer(loop, { result.resume(returning: false) }) else {
        return result.resume(returning: false)
      }
      timer.set(after: .milliseconds(limit))
      Task {
        let isDone = await work(self)
        timer.cancel()
        result.resume(returning: isDone)
      }
    }
  }
}

/// A continuation that is resumed with the first of several results.
private final class FirstResult: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) {
    self.continuation = Mutex(continuation)
  }

  func resume(returning value: Bool) {
    continuation.withLock { waiting in
      waiting?.resume(returning: value)
      waiting = nil
    }
  }
}
