import CLinux
import Wire

/// `quickvault-carrier serve`: protocol/CARRIER.md.
enum Service {
  /// How long a pass may go on after the input was closed.
  private static let finishTimeout = Duration.seconds(120)

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
    Sandbox.protectMemory()
    _ = linux_lock_memory()
    Sandbox.restrictPrograms()
    Sandbox.restrictCalls()
    let loop = try EventLoop()
    let sender = NotificationSender()
    let carrier = Carrier(loop) { sender.send($0) }
    let connection = Connection(loop: loop, input: 0, output: 1, handler: carrier)
    sender.connection = connection
    try connection.stopOnSignal(on: loop)
    let limit = try LoopTimer(on: loop) { connection.assumeIsolated { $0.stop() } }
    try connection.stopOnHangup(on: loop) {
      limit.set(after: finishTimeout)
      return carrier.assumeIsolated { $0.inputDidEnd() }
    }

    Task { await connection.start() }
    loop.run()
    switch connection.assumeIsolated({ $0.closeReason }) {
    case .exit(afterShutdown: true), .endOfInput, .stopped, .unreadable: return 0
    default: return 1
    }
  }
}
