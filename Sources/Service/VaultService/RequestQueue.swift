import Wire

/// What a request does to the vault, which decides beside which others it is answered.
enum Access: Sendable {
  /// It reads: beside all but exclusive ones.
  case reading
  /// It opens the vault, or checks a password of an open one: one at a time, beside reading and writing ones.
  case unlocking
  /// It writes, or works for long on a copy: one at a time, beside reading ones and unlocks.
  case writing
  /// It replaces the file or its key: alone.
  case exclusive

  fileprivate func runsBeside(_ other: Access) -> Bool {
    switch (self, other) {
    case (.exclusive, _), (_, .exclusive): false
    case (.reading, _), (_, .reading): true
    default: self != other
    }
  }
}

/// Lets the requests of several clients take turns: in the order in which they came, but nothing that only reads waits behind
/// what waits for something that writes (U).
actor RequestQueue {
  nonisolated let loop: EventLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

  private struct Waiting {
    let number: Int
    let access: Access
    let continuation: CheckedContinuation<Void, any Error>
  }

  private var running: [Access] = []
  private var waiting: [Waiting] = []
  private var lastNumber = 0

  init(on loop: EventLoop) {
    self.loop = loop
  }

  /// Takes a turn if it can be had at once; ``leave(_:)`` ends it.
  func enter(_ access: Access) -> Bool {
    guard canRun(access, behind: waiting[...]) else { return false }
    running.append(access)
    return true
  }

  /// The number of requests that wait for their turn.
  var waitingCount: Int { waiting.count }

  /// Whether a request of this kind is being answered.
  func runs(_ access: Access) -> Bool { running.contains(access) }

  /// Waits for a turn.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before.
  func wait(for access: Access) async throws {
    lastNumber += 1
    let number = lastNumber
    try await withTaskCancellationHandler {
      try Task.checkCancellation()
      try await withCheckedThrowingContinuation {
        waiting.append(Waiting(number: number, access: access, continuation: $0))
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
  }

  /// Ends a turn, and begins those that waited for it.
  func leave(_ access: Access) {
    if let index = running.firstIndex(of: access) { running.remove(at: index) }
    var index = 0
    while index < waiting.count {
      let next = waiting[index]
      if canRun(next.access, behind: waiting[..<index]) {
        waiting.remove(at: index)
        running.append(next.access)
        next.continuation.resume()
      } else {
        index += 1
      }
    }
  }

  /// Lets what waits go before, and takes the turn again, even if the task is cancelled meanwhile.
  func pause(_ access: Access) async {
    guard !waiting.isEmpty else { return }
    leave(access)
    await takeAgain(access)
  }

  /// Reacquires a turn after `leave(_:)`, even if the task is cancelled meanwhile.
  func takeAgain(_ access: Access) async {
    guard !enter(access) else { return }
    lastNumber += 1
    let number = lastNumber
    try? await withCheckedThrowingContinuation {
      waiting.append(Waiting(number: number, access: access, continuation: $0))
    }
  }

  /// Returns whether a request may run: no running request excludes it, and it delays no earlier one, except that a
  /// read may pass requests that wait for a write.
  private func canRun(_ access: Access, behind earlier: ArraySlice<Waiting>) -> Bool {
    guard running.allSatisfy(access.runsBeside) else { return false }
    return earlier.allSatisfy { other in
      other.access.runsBeside(access) || access == .reading && !running.allSatisfy { $0 == .reading }
    }
  }

  private func cancel(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index).continuation.resume(throwing: CancellationError())
  }
}
