import Foundation
import TestSupport
import Testing
import Wire

@testable import Service

/// Turns of requests of several clients.
@Suite("The queue of requests", .timeLimit(.minutes(15))) struct RequestQueueTests {
  private static func withQueue(_ body: (RequestQueue) async throws -> Void) async throws {
    let loop = try EventLoop()
    Thread.detachNewThread { loop.run() }
    defer { loop.stop() }
    try await body(RequestQueue(on: loop))
  }

  @Test("U Reading goes beside writing and unlocking, not beside what is exclusive; two that write do not")
  func beside() async throws {
    try await Self.withQueue { queue in
      #expect(await queue.enter(.writing))
      #expect(await queue.enter(.reading))
      #expect(await queue.enter(.unlocking))
      #expect(await !queue.enter(.writing))
      #expect(await !queue.enter(.unlocking))
      #expect(await !queue.enter(.exclusive))
      for access in [Access.writing, .reading, .unlocking] { await queue.leave(access) }
      #expect(await queue.enter(.exclusive))
      #expect(await !queue.enter(.reading))
    }
  }

  @Test(
    "U Turns come in order; reading passes those that wait for a writer, and not an exclusive one that waits for readers"
  )
  func order() async throws {
    try await Self.withQueue { queue in
      #expect(await queue.enter(.writing))
      let exclusive = Task { try await queue.wait(for: .exclusive) }
      while await queue.waitingCount < 1 { await Task.yield() }
      let writing = Task { try await queue.wait(for: .writing) }
      while await queue.waitingCount < 2 { await Task.yield() }
      #expect(await queue.enter(.reading))
      await queue.leave(.writing)
      // Only a reader is left, behind which the exclusive one has its turn.
      #expect(await !queue.enter(.reading))
      await queue.leave(.reading)
      try await exclusive.value
      #expect(await queue.waitingCount == 1)
      await queue.leave(.exclusive)
      try await writing.value
    }
  }

  @Test("U A request that is cancelled while it waits gives up its place")
  func cancelled() async throws {
    try await Self.withQueue { queue in
      #expect(await queue.enter(.exclusive))
      let first = Task { try await queue.wait(for: .exclusive) }
      while await queue.waitingCount < 1 { await Task.yield() }
      first.cancel()
      await #expect(throws: CancellationError.self) { try await first.value }
      #expect(await queue.waitingCount == 0)
      await queue.leave(.exclusive)
      #expect(await queue.enter(.writing))
    }
  }

  @Test("S Long work that writes lets those that wait write before it goes on, even if it is cancelled")
  func pause() async throws {
    try await Self.withQueue { queue async throws in
      #expect(await queue.enter(.writing))
      await queue.pause(.writing)
      let request = Task {
        try await queue.wait(for: .writing)
        let count = await queue.waitingCount
        await queue.leave(.writing)
        return count
      }
      while await queue.waitingCount < 1 { await Task.yield() }
      let work = Task { await queue.pause(.writing) }
      work.cancel()
      await work.value
      #expect(try await request.value == 1)
      #expect(await queue.runs(.writing))
      await queue.leave(.writing)
      #expect(await !queue.runs(.writing))
    }
  }
}
