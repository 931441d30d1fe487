import CLinux
import Glibc
import Wire

/// A program that qv runs: an editor, a viewer, a clipboard program.
struct ChildProcess {
  let process: Int32
  /// Readable once the process has ended.
  let watch: Int32

  /// The descriptors that become 0, 1 and 2 of a program.
  struct Streams {
    var input: Int32 = 0
    var output: Int32 = 1
    var errors: Int32 = 2
  }

  /// POSIX_SPAWN_SETSID of glibc.
  private static let newSession: Int32 = 0x80

  /// Starts a program, with no signal blocked or ignored.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - arguments: with the name of the program as the first.
  ///   - isDetached: whether it gets a session of its own, and outlives the terminal.
  ///   - ignored: the signals that it ignores if this process does.
  /// - Returns: nil if it cannot be started.
  static func start(
    _ path: String, _ arguments: [String], _ streams: Streams = Streams(),
    environment: [String] = ProcessEnvironment.entries,
    isDetached: Bool = false, ignored: [Int32] = []
  ) -> ChildProcess? {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    guard unsafe posix_spawn_file_actions_init(&actions) == 0 else { return nil }
    guard unsafe posix_spawnattr_init(&attributes) == 0 else { return nil }
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    // First beyond the standard ones, since one may be the source of another.
    let sources = [streams.input, streams.output, streams.errors].map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    defer { for source in sources { close(source) } }
    for (target, source) in sources.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
    }
    var (all, none) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    for number in ignored { unsafe sigdelset(&all, number) }
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isDetached ? newSession : 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var process: pid_t = 0
    let failure = unsafe ArgumentVector.with(arguments, environment: environment) {
      unsafe posix_spawn(&process, path, &actions, &attributes, $0, $1)
    }
    guard failure == 0 else {
      errno = failure
      return nil
    }
    return ChildProcess(process: process, watch: linux_process_descriptor(process))
  }

  /// Waits for the end.
  ///
  /// - Returns: the exit status, or 128 plus the number of the signal that ended it.
  @discardableResult
  func wait() throws(Failure) -> Int32 {
    if watch >= 0 { try Signals.wait(for: watch) }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    if watch >= 0 { close(watch) }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  /// Runs a program that has the terminal, such as an editor. Ctrl-C and Ctrl-\ are for that program, or for one that it runs; only
  /// if one of them ends it does it end this command.
  ///
  /// - Returns: its status; nil if it cannot be started.
  static func runInForeground(_ path: String, _ arguments: [String]) throws(Failure) -> Int32? {
    let status = try Signals.leavingKeyboard { () throws(Failure) in try start(path, arguments)?.wait() }
    if let number = Signals.ofKeyboard.first(where: { status == 128 + $0 }) { throw .signal(number) }
    return status
  }

  /// Runs a program with some input, and waits for its end.
  ///
  /// - Parameter connection: if given, the program is ended when the vault is locked, which ends the command.
  /// - Returns: its status and what it printed; nil if it cannot be started.
  static func run(
    _ path: String, _ arguments: [String], input: [UInt8] = [], showsErrors: Bool = false,
    readsOutput: Bool = true, environment: [String] = ProcessEnvironment.entries,
    while connection: VaultConnection? = nil
  ) throws(Failure) -> (status: Int32, output: [UInt8])? {
    guard let (source, feed) = pipe(), let (result, sink) = pipe() else { return nil }
    let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    let child = start(
      path, arguments,
      Streams(input: source, output: readsOutput ? sink : nowhere, errors: showsErrors ? 2 : nowhere),
      environment: environment)
    for descriptor in [source, sink, nowhere] { close(descriptor) }
    defer { close(result) }
    guard let child else {
      close(feed)
      return nil
    }
    try writeAll(input, to: feed)
    do throws(Failure) {
      try connection?.wait(for: result)
    } catch {
      Self.terminate(child.process)
      try child.wait()
      throw error
    }
    let output = readsOutput ? try Descriptor.read(result) : []
    return (try child.wait(), output)
  }

  /// Ends a program and those that it started, such as a shell and its menu.
  static func terminate(_ process: Int32) {
    let list = unsafe open("/proc/\(process)/task/\(process)/children", O_RDONLY | O_CLOEXEC)
    defer { close(list) }
    let children = String(decoding: (try? Descriptor.read(list)) ?? [], as: UTF8.self).split(separator: " ")
    for child in children.compactMap({ Int32($0) }) { terminate(child) }
    kill(process, SIGTERM)
  }

  /// Writes all input to a program. A failed write is not an error here: the exit status decides.
  static func writeAll(_ input: [UInt8], to feed: Int32) throws(Failure) {
    defer { close(feed) }
    do throws(Failure) {
      try Descriptor.write(input, to: feed)
    } catch {
      if case .signal = error { throw error }
    }
  }

  /// - Returns: the end to read and the end to write, which close on exec.
  static func pipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}

extension String {
  /// The text as one word of the Bourne shell.
  var shellQuoted: String {
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
