import Glibc

/// A program in a terminal of its own, as a person has it.
final class Terminal {
  private static let (columns, rows) = (UInt16(110), UInt16(40))

  let program: String
  private let process: pid_t
  /// The side of the terminal that shows what the program writes, and has the keys.
  private let screen: Int32
  private var hasEnded = false
  /// The end of what the program has written.
  private var written: [UInt8] = []

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name to look up in PATH.
  ///   - environment: variables in addition to those of this process.
  init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
    self.program = program
    var inner: Int32 = -1
    (screen, inner) = try Self.open()
    defer { close(inner) }
    guard let name = unsafe ttyname(inner) else {
      throw BenchmarkError.system(call: "ttyname", number: errno)
    }
    process = try unsafe Spawn.start(
      program, arguments, environment.merging(["TERM": "screen-256color"]) { own, _ in own },
      isInNewSession: true
    ) { actions in
      // To open it makes it the terminal of the new session.
      unsafe posix_spawn_file_actions_addopen(actions, 0, name, O_RDWR, 0)
      unsafe posix_spawn_file_actions_adddup2(actions, 0, 1)
      unsafe posix_spawn_file_actions_adddup2(actions, 0, 2)
    }
  }

  deinit {
    end()
    close(screen)
  }

  /// Types keys, at most a few hundred bytes of them.
  func type(_ keys: String) throws {
    let bytes = Array(keys.utf8)
    let count = unsafe bytes.withUnsafeBytes { unsafe write(screen, $0.baseAddress, $0.count) }
    guard count == bytes.count else { throw BenchmarkError.ended(program: program) }
  }

  /// Takes what the program displays for some milliseconds, because it would wait for that.
  ///
  /// - Returns: whether the program may display more.
  func watch(milliseconds: Int32) -> Bool {
    var query = pollfd(fd: screen, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&query, 1, milliseconds) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(screen, $0.baseAddress, $0.count) }
    guard count > 0 else { return false }
    written = Array((written + bytes[..<count]).suffix(2_000))
    return true
  }

  /// The end of what was displayed, without control characters.
  var lastText: String {
    let scalars = String(decoding: written, as: UTF8.self).unicodeScalars.filter { $0 >= " " }
    return String(String.UnicodeScalarView(scalars))
  }

  /// Ends the program, if it has not ended.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    kill(process, SIGKILL)
    _ = try? Spawn.wait(for: process)
  }

  /// Opens a terminal: the side of the person, and that of the program.
  private static func open() throws -> (screen: Int32, inner: Int32) {
    var ends: (screen: Int32, inner: Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard unsafe openpty(&ends.screen, &ends.inner, nil, nil, &size) == 0 else {
      throw BenchmarkError.system(call: "openpty", number: errno)
    }
    for end in [ends.screen, ends.inner] where fcntl(end, F_SETFD, FD_CLOEXEC) < 0 {
      throw BenchmarkError.system(call: "fcntl", number: errno)
    }
    return ends
  }
}
