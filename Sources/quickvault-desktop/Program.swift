import EventLoop
import CLinux
import Glibc
import JSONRPC

/// The program from its arguments to its exit status.
enum Program {
  /// Exit statuses of sysexits(3).
  private static let usage: Int32 = 64
  private static let systemRefused: Int32 = 71

  /// Holds the conversation.
  ///
  /// - Returns: the exit status.
  static func run() -> Int32 {
    guard CommandLine.arguments.count == 1 else {
      return complain("it takes no arguments; protocol/DESKTOP.md tells what it reads and writes", usage)
    }
    do {
      return try converse()
    } catch {
      return complain("\(error)", systemRefused)
    }
  }

  private static func converse() throws(SystemError) -> Int32 {
    protectMemory()
    let loop = try EventLoop()
    let messenger = Messenger()
    let services = DesktopServices(loop, sessionName: environment("XDG_SESSION_ID"))
    let watch = SessionWatch(services) { messenger.send($0) }
    let desktop = Desktop(services, watch: watch) { messenger.send($0) }
    let connection = Connection(loop: loop, input: 0, output: 1, handler: desktop)
    messenger.connection = connection
    try stopBySignal(loop, connection)
    try stopAtHangUp(loop, connection, watch)

    Task { await connection.start() }
    loop.run()
    switch connection.assumeIsolated({ $0.ending }) {
    case .exit(afterShutdown: true), .endOfInput, .stopped: return 0
    case .unreadable where isHungUp(): return 0
    default: return 1
    }
  }

  /// Forbids core files and looks into memory, and keeps it from being written to swap, as far as the system allows.
  private static func protectMemory() {
    _ = linux_forbid_dumping()
    _ = linux_forbid_core_files()
    _ = linux_lock_memory()
  }

  private static func stopBySignal(_ loop: EventLoop, _ connection: Connection) throws(SystemError) {
    let descriptor = linux_signal_descriptor()
    guard descriptor >= 0 else { throw SystemError("signalfd") }
    loop.watch(descriptor, for: .reading) {
      while linux_next_signal(descriptor) != 0 { connection.assumeIsolated { $0.stop() } }
    }
  }

  /// Ends the conversation as soon as nobody can write to it any more, even where the request at hand is not done: then
  /// the vault is locked, and nothing may keep the machine from sleeping.
  private static func stopAtHangUp(
    _ loop: EventLoop, _ connection: Connection, _ watch: SessionWatch
  ) throws(SystemError) {
    let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw SystemError("fcntl") }
    loop.watch(descriptor, for: .hangingUp) {
      loop.unwatch(descriptor)
      watch.assumeIsolated { $0.allowSleep() }
      connection.assumeIsolated { $0.stop() }
    }
  }

  /// Whether nobody can write to standard input any more.
  private static func isHungUp() -> Bool {
    var query = pollfd(fd: 0, events: 0, revents: 0)
    return unsafe poll(&query, 1, 0) > 0
  }

  private static func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  private static func complain(_ text: String, _ status: Int32) -> Int32 {
    var line = "quickvault-desktop: \(text)\n"
    line.withUTF8 { _ = unsafe write(2, $0.baseAddress, $0.count) }
    return status
  }
}
