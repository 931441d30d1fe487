import CLinux
import EventLoop
import Glibc
import JSONRPC

/// `quickvault-carrier serve`: protocol/CARRIER.md.
enum Service {
  /// Serves standard input and output until the connection ends.
  ///
  /// - Returns: the exit status.
  static func run() -> Int32 {
    do {
      return try serve()
    } catch {
      Program.write("quickvault-carrier: \(error)\n", to: 2)
      return 71
    }
  }

  private static func serve() throws(SystemError) -> Int32 {
    Confinement.protectMemory()
    _ = linux_lock_memory()
    Confinement.restrictPrograms()
    Confinement.restrictCalls()
    let loop = try EventLoop()
    let sender = NotificationSender()
    let carrier = Carrier(loop) { sender.send($0) }
    let connection = Connection(loop: loop, input: 0, output: 1, handler: carrier)
    sender.connection = connection
    try stopOnSignal(loop, connection)
    try stopOnHangup(loop, connection)

    Task { await connection.start() }
    loop.run()
    switch connection.assumeIsolated({ $0.closeReason }) {
    case .exit(afterShutdown: true), .endOfInput, .stopped, .unreadable: return 0
    default: return 1
    }
  }

  private static func stopOnSignal(_ loop: EventLoop, _ connection: Connection) throws(SystemError) {
    let descriptor = linux_signal_descriptor()
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    loop.watch(descriptor, for: .reading) {
      while linux_next_signal(descriptor) != 0 { connection.assumeIsolated { $0.stop() } }
    }
  }

  /// Stops as soon as standard input is closed, even during a request: nobody is there to read the answer.
  private static func stopOnHangup(_ loop: EventLoop, _ connection: Connection) throws(SystemError) {
    let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw SystemError("fcntl") }
    loop.watch(descriptor, for: .hangingUp) {
      loop.unwatch(descriptor)
      connection.assumeIsolated { $0.stop() }
    }
  }
}

/// Sends notifications to the vault's process. Used on the loop's thread only.
final class NotificationSender: @unchecked Sendable {
  /// Set later: the connection is created after the objects that send notifications.
  var connection: Connection?

  func send(_ notification: any OutgoingNotification) {
    connection?.assumeIsolated { $0.send(notification) }
  }
}
