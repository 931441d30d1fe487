import Foundation
import Service
import Synchronization
import TestSupport
import Testing
import Wire

/// Checks that a server whose conversation is over is released. The program ends then; only a process with several
/// conversations, as in tests and fuzz targets, relies on it.
@Suite("The end of a conversation") struct EndTests {
  @Test("R10 The vault is closed, and nothing keeps the server in memory")
  func nothingStays() async throws {
    try await onThread {
      let directory = try TemporaryDirectory()
      let loop = WeakLoop()
      let configuration = Server.Configuration(
        vault: directory.appending("vault.quickvault"), locale: "C", helpers: directory.path,
        clock: ControlledTime(),
        makeTimer: { madeOn, _ in
          loop.set(madeOn)
          return NoTimer()
        })
      let server = try InProcessServer(configuration, framing: .lines)
      let password =
        #""password":"correct horse","kdf":{"algorithm":"pbkdf2-hmac-sha256","iterations":100000}"#
      try server.channel.send(#"{"jsonrpc":"2.0","id":1,"method":"vault/create","params":{\#(password)}}"#)
      repeat {} while try !server.channel.message().contains(#""id":1"#)
      #expect(!Self.openFiles(below: directory.path).isEmpty)
      #expect(loop.isThere)
      server.channel.closeInput()
      #expect(try server.waitForExit().status == 0)
      #expect(Self.openFiles(below: directory.path).isEmpty)
      // The tasks of the conversation release it on other threads.
      let deadline = Deadline.usual
      while loop.isThere, deadline.milliseconds > 0 { sched_yield() }
      #expect(!loop.isThere)
    }
  }

  /// What this process has open there.
  private static func openFiles(below directory: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let paths = names.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    return paths.filter { $0.hasPrefix(directory) }
  }
}

/// The loop that all of a server hangs on, without holding it.
private final class WeakLoop: Sendable {
  private struct Reference { weak var loop: EventLoop? }
  private let reference = Mutex(Reference())

  var isThere: Bool { reference.withLock { $0.loop != nil } }
  func set(_ loop: EventLoop) { reference.withLock { $0.loop = loop } }
}

/// A timer that is never due: nothing here waits for one.
private struct NoTimer: EventLoop.Timer {
  func set(after span: Duration) {}
  func cancel() {}
}
