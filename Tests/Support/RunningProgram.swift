import CLinux
import Foundation
public import Glibc

/// A program that a test started, with a pipe at its input and its output, and its standard error in a file.
public final class RunningProgram {
  /// Its process.
  public let process: pid_t
  /// The conversation with it.
  public let channel: Channel
  private let directory: TemporaryDirectory
  private var status: Int32?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the program.
  ///   - arguments: what follows its name.
  ///   - environment: all of its environment. Without a home directory, the state directory is one that cannot be, so that the
  ///     program does not find that of the person who runs the tests.
  ///   - framing: how messages are separated.
  public init(
    _ path: String, _ arguments: [String] = [], environment: [String: String] = [:], framing: Framing = .lines
  ) throws {
    directory = try TemporaryDirectory()
    var environment = environment
    if environment["HOME"] == nil, environment["XDG_STATE_HOME"] == nil {
      environment["XDG_STATE_HOME"] = "/dev/null"
    }
    let (input, output) = (try makePipe(), try makePipe())
    let errors = directory.appending("error")
    let error = open(errors, O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND, 0o600)
    defer { for descriptor in [input.reading, output.writing, error] { close(descriptor) } }
    channel = Channel(input: input.writing, output: output.reading, framing: framing) {
      (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
    }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (index, descriptor) in [input.reading, output.writing, error].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(index))
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var process: pid_t = 0
    let failure = Self.withPointers([path] + arguments) { argv in
      Self.withPointers(environment.map { "\($0.key)=\($0.value)" }) { environment in
        posix_spawn(&process, path, &actions, &attributes, argv, environment)
      }
    }
    guard failure == 0 else {
      throw Failure("\(path) cannot be started: \(String(cString: strerror(failure)))")
    }
    self.process = process
  }

  deinit {
    guard status == nil else { return }
    kill(process, SIGKILL)
    var ignored: Int32 = 0
    waitpid(process, &ignored, 0)
  }

  /// Its standard error so far.
  public var standardError: String { channel.standardError() }

  /// Sends it a signal.
  public func send(signal: Int32) {
    kill(process, signal)
  }

  /// Whether it has ended and was not waited for.
  public var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information.si_signo == SIGCHLD
  }

  /// Waits for its end.
  ///
  /// - Returns: its exit status; of one that a signal ended, the signal's number plus 128, as shells have it.
  public func exitStatus(by deadline: Deadline = .usual) throws -> Int32 {
    if let status { return status }
    let descriptor = linux_process_descriptor(process)
    guard descriptor >= 0 else { throw Failure("the process cannot be watched: \(errno)") }
    defer { close(descriptor) }
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, deadline.milliseconds) == 1 else { throw Failure("the program does not end") }
    var raw: Int32 = 0
    guard waitpid(process, &raw, 0) == process else { throw Failure("waitpid: \(errno)") }
    let signal = raw & 0x7F
    let status = signal == 0 ? raw >> 8 & 0xFF : signal + 128
    self.status = status
    return status
  }

  /// Closes its input, and returns its remaining output and its exit status.
  public func finish(by deadline: Deadline = .usual) throws -> (messages: [String], status: Int32) {
    channel.closeInput()
    var messages: [String] = []
    while let message = try channel.next(by: deadline) { messages.append(message) }
    return (messages, try exitStatus(by: deadline))
  }

  private static func withPointers<Value>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
  ) -> Value {
    let pointers = strings.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}

extension RunningProgram: ReplayTarget {
  /// Waits for its end.
  public func waitForExit() throws -> (status: Int32, message: String) {
    (try exitStatus(), standardError)
  }
}

/// Runs a program to its end.
///
/// - Returns: its standard output and error, and its exit status.
public func run(
  _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String = "",
  by deadline: Deadline = .usual
) throws -> (output: String, error: String, status: Int32) {
  let program = try RunningProgram(path, arguments, environment: environment)
  if !input.isEmpty { try program.channel.write(Array(input.utf8), by: deadline) }
  program.channel.closeInput()
  let output = try program.channel.everything(by: deadline)
  let status = try program.exitStatus(by: deadline)
  return (output, program.standardError, status)
}

/// Makes a file that can be started.
///
/// Another process writes it: a program that is started meanwhile would take a descriptor of this one with it, and what
/// somebody has open for writing cannot be started (ETXTBSY).
public func writeProgram(_ text: String, to path: String) throws {
  let (_, error, status) = try run(
    "/bin/sh", ["-c", #"cat > "$0" && chmod 755 "$0""#, path], environment: ["PATH": "/usr/bin:/bin"],
    input: text)
  guard status == 0 else { throw Failure("\(path) cannot be written: \(error)") }
}

extension Channel {
  /// All that still comes, as one text, whatever its form.
  public func everything(by deadline: Deadline = .usual) throws -> String {
    var lines = ""
    while let line = try nextLine(by: deadline) { lines += line }
    return lines
  }
}
