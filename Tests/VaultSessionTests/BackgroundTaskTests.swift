import Foundation
import SessionSupport
import Testing

@testable import Vault

extension SessionTests {
  @Suite("Work in the background")
  struct BackgroundTaskTests {
    struct Failure: Error {}

    @Test("R17 a task returns the result of its work, or throws its error")
    func results() async throws {
      #expect(try await runInBackground { 42 } == 42)
      await #expect(throws: Failure.self) { try await runInBackground { throw Failure() } }
    }

    @Test("R17 a cancelled task ends at once, and the result of its work is ignored")
    func cancelledMeanwhile() async throws {
      let (began, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let hasEnded = Box(false)
      let task = Task {
        try await runInBackground {
          began.signal()
          goOn.wait()
          hasEnded.value = true
          return 1
        }
      }
      try await waitUntil({ began.wait(timeout: .now()) == .success }, then: { task.cancel() })
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(!hasEnded.value)
      goOn.signal()
      try await waitUntil { hasEnded.value }
    }

    @Test("R17 a task that was cancelled before does not start its work")
    func cancelledBefore() async throws {
      let hasBegun = Box(false)
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await runInBackground { hasBegun.value = true }
      }
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(!hasBegun.value)
    }

    @Test(
      "R17 a task waits for work with side effects once it started, and never starts it after a cancellation"
    )
    func toItsEnd() async throws {
      let (began, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let task = Task {
        try await runInBackground(whenCancelled: .wait) {
          began.signal()
          goOn.wait()
          return 1
        }
      }
      try await waitUntil({ began.wait(timeout: .now()) == .success }, then: { task.cancel() })
      goOn.signal()
      #expect(try await task.value == 1)

      let hasBegun = Box(false)
      let cancelled = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await runInBackground(whenCancelled: .wait) { hasBegun.value = true }
      }
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      #expect(!hasBegun.value)
    }

    @Test("R17 a task that is cancelled after its end keeps its result")
    func cancelledAfter() async throws {
      let task = Task { try await runInBackground { 1 } }
      #expect(try await task.value == 1)
      task.cancel()
      #expect(try await task.value == 1)
    }

    @Test("R17 a task that is cancelled at any moment ends exactly once")
    func races() async throws {
      for _ in 0..<2_000 {
        let task = Task { try await runInBackground { 1 } }
        if Bool.random() { await Task.yield() }
        task.cancel()
        do {
          #expect(try await task.value == 1)
        } catch {
          #expect(error is CancellationError)
        }
      }
    }

    @Test("R10 nothing retains a session or its key after its release")
    func noCycles() async throws {
      let vault = try TestVault()
      weak var session: VaultSession?
      weak var open: OpenVault?
      do {
        let strong = try await vault.create()
        try strong.note("note")
        _ = try await strong.verify { _ in }
        try await strong.unlock(password: TestVault.password)
        session = strong
        open = strong.opened
        #expect(open != nil)
        strong.lock(.request)
        #expect(open == nil)
      }
      #expect(session == nil)
    }
  }
}
