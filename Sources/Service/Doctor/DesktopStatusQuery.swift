import CLinux
import Glibc
import HelperProtocols
import Wire

/// Asks `quickvault-desktop` for its status, blocking.
enum DesktopStatusQuery {
  /// In milliseconds: services that must be started first take up to 25 seconds.
  private static let timeout: Int64 = 30_000

  /// Starts the program, asks for its status, and ends it.
  ///
  /// - Returns: nil if there is no answer.
  static func run(_ program: String) -> DesktopStatus.Response? {
    var worker = linux_worker()
    let environment = WorkerProcesses.environment(DesktopProgram.environment, prefixes: [])
      .map { "\($0.key)=\($0.value)" }
    let failure = unsafe ArgumentVector.with([program], environment: environment) {
      unsafe linux_worker_start(&worker, program, $0, $1)
    }
    guard failure == 0 else { return nil }
    defer {
      for descriptor in [worker.input, worker.output, worker.errors] { close(descriptor) }
      kill(worker.process, SIGKILL)
      _ = linux_worker_end(worker.watch)
      close(worker.watch)
    }
    let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"desktop/status"}"#.utf8) + [0x0A]
    guard unsafe write(worker.input, request, request.count) == request.count else { return nil }
    guard let line = line(from: worker.output), let result = try? JSONReader.read(line)["result"] else {
      return nil
    }
    return try? DesktopStatus.Response.read(result, at: "result")
  }

  private static func line(from descriptor: Int32) -> [UInt8]? {
    let end = now() + timeout
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&entry, 1, Int32(max(0, end - now()))) > 0 else { return nil }
      let count = unsafe read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return nil }
      line += buffer[..<count]
      if let newline = line.firstIndex(of: 0x0A) { return Array(line[..<newline]) }
    }
  }

  private static func now() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
