import Glibc

/// Starts processes and waits for their end.
enum Spawn {
  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: a path, or a name to look up in PATH.
  ///   - environment: variables in addition to those of this process.
  ///   - isInNewSession: whether the first terminal that it opens becomes its own.
  ///   - redirect: adds what is done with the descriptors of the new process.
  static func start(
    _ program: String, _ arguments: [String], _ environment: [String: String],
    isInNewSession: Bool = false, _ redirect: (UnsafeMutablePointer<posix_spawn_file_actions_t>) -> Void
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe redirect(&actions)

    // The other is not to inherit that this process ignores SIGPIPE, nor what this thread has blocked.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isInNewSession ? newSession : 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))

    var process: pid_t = 0
    let variables =
      environment.map { "\($0.key)=\($0.value)" }
      + inherited.filter { variable in
        !environment.keys.contains { variable.hasPrefix($0 + "=") }
      }
    let failure = unsafe withCStrings([program] + arguments) { arguments in
      unsafe withCStrings(variables) { variables in
        unsafe posix_spawnp(&process, program, &actions, &attributes, arguments, variables)
      }
    }
    guard failure == 0 else { throw BenchmarkError.system(call: "posix_spawn", number: failure) }
    return process
  }

  /// Waits for the end of a process.
  ///
  /// - Returns: the exit status, or 128 plus the number of the signal.
  static func wait(for process: pid_t) throws -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { throw BenchmarkError.system(call: "waitpid", number: errno) }
    }
    return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
  }

  /// POSIX_SPAWN_SETSID, which Swift does not import.
  private static let newSession: Int32 = 0x80

  /// The variables of this process, as `NAME=value`.
  private static let inherited = ((try? Files.read("/proc/self/environ")) ?? "").split(separator: "\0").map(
    String.init)

  private static func withCStrings(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    let copies = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    return unsafe copies.withUnsafeBufferPointer { copies in
      guard let first = copies.baseAddress else { return EINVAL }
      return unsafe body(first)
    }
  }
}
