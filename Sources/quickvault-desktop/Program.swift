import CLinux
import Glibc
import Wire

enum Program {
  /// Exit statuses of sysexits(3).
  private static let usage: Int32 = 64
  private static let osError: Int32 = 71

  /// Serves standard input and output until the connection ends.
  ///
  /// - Returns: the exit status.
  static func run() -> Int32 {
    guard CommandLine.arguments.count == 1 else {
      return printError("it takes no arguments; see protocol/DESKTOP.md", usage)
    }
    do {
      return try serve()
    } catch {
      return printError("\(error)", osError)
    }
  }

  private static func serve() throws(SystemError) -> Int32 {
    protectMemory()
    let loop = try EventLoop()
    let sender = NotificationSender()
    let services = DesktopServices(loop, sessionName: ProcessEnvironment["XDG_SESSION_ID"])
    let watch = SessionMonitor(services) { sender.send($0) }
    let desktop = Desktop(services, watch: watch) { sender.send($0) }
    let connection = Connection(loop: loop, input: 0, output: 1, handler: desktop)
    sender.connection = connection
    try connection.stopOnSignal(on: loop)
    // The vault is locked then, and nothing may delay sleep any longer.
    try connection.stopOnHangup(on: loop) {
      watch.assumeIsolated { $0.allowSleep() }
      return true
    }

    Task { await connection.start() }
    loop.run()
    switch connection.assumeIsolated({ $0.closeReason }) {
    case .exit(afterShutdown: true), .endOfInput, .stopped: return 0
    case .unreadable where isHungUp(): return 0
    default: return 1
    }
  }

  /// Forbids core files and debuggers, and locks memory as far as the limit allows.
  private static func protectMemory() {
    _ = linux_forbid_dumping()
    _ = linux_forbid_core_files()
    _ = linux_lock_memory()
  }

  /// Returns whether the other end of standard input is closed.
  private static func isHungUp() -> Bool {
    var query = pollfd(fd: 0, events: 0, revents: 0)
    return unsafe poll(&query, 1, 0) > 0
  }

  private static func printError(_ text: String, _ status: Int32) -> Int32 {
    var line = "quickvault-desktop: \(text)\n"
    line.withUTF8 { _ = unsafe write(2, $0.baseAddress, $0.count) }
    return status
  }
}
