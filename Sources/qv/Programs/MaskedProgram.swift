import CLinux
import Glibc
import VaultInterface
import Wire

/// A program that is given values, and whose output is shown without them.
///
/// On a terminal, it has a terminal of its own, as with script(1), and Ctrl-Z stops it and this process. Elsewhere its output goes
/// through pipes, and it reads the input of this process.
final class MaskedProgram {
  private let path: String
  private let arguments: [String]
  private let environment: [String]

  /// Bytes on their way.
  private struct Flow {
    /// -1 after its end.
    var source: Int32
    let target: Int32
    /// Nil for input.
    var mask: OutputMask?
    var pending: [UInt8] = []

    var isOpen: Bool { source >= 0 || !pending.isEmpty }
  }

  private var flows: [Flow] = []
  private let signals = linux_forwarding_descriptor()
  /// The program's process, once it is known.
  private var process: Int32 = 0
  /// What waitpid(2) has said of its end.
  private var status: Int32?
  /// The program's terminal; -1 without one.
  private var terminal: Int32 = -1
  /// The modes that the user's terminal gets back.
  private var modes: termios?
  private var passesKeys = false

  /// The size of a portion that a pipe takes without waiting, once it is ready.
  private static let portion = 4_096
  /// How often a job in the background looks whether it still is, in milliseconds. No signal says so.
  private static let foregroundInterval: Int32 = 300

  init(_ path: String, _ arguments: [String], environment: [String]) {
    (self.path, self.arguments, self.environment) = (path, arguments, environment)
  }

  /// Replaces this process by the program.
  ///
  /// - Returns: `errno`, if the program cannot be started.
  func become() -> Int32 {
    _ = unsafe ArgumentVector.with(arguments, environment: environment) {
      unsafe linux_become(path, $0, $1, CommandLineProgram.callersMask)
    }
    return errno
  }

  /// Runs the program to its end.
  ///
  /// - Returns: `errno`, if the program cannot be started.
  /// - Throws: always its status, or the signal that has ended it.
  func run(_ mask: OutputMask) throws(Failure) -> Int32 {
    let reports = isatty(0) == 1 && isatty(1) == 1 ? startOnTerminal(mask) : startOnPipes(mask)
    guard reports >= 0 else { return errno }
    defer { leaveTerminal() }
    while status == nil || flows.contains(where: { $0.mask != nil && $0.isOpen }) {
      if let failed = turn(reports) { return failed }
    }
    let status = status ?? 0
    throw status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }

  // MARK: Starting

  private func startOnTerminal(_ mask: OutputMask) -> Int32 {
    let errors = isatty(2) == 1 ? nil : ChildProcess.pipe()
    let reports = unsafe ArgumentVector.with(arguments, environment: environment) {
      unsafe linux_run_on_terminal(
        path, $0, $1, 0, errors?.writing ?? -1, CommandLineProgram.callersMask, &terminal)
    }
    flows = [Flow(source: 0, target: terminal), Flow(source: terminal, target: 1, mask: mask)]
    if let errors {
      close(errors.writing)
      flows.append(Flow(source: errors.reading, target: 2, mask: mask))
    }
    return reports
  }

  private func startOnPipes(_ mask: OutputMask) -> Int32 {
    guard let output = ChildProcess.pipe(), let errors = Self.isSame(1, 2) ? output : ChildProcess.pipe()
    else { return -1 }
    umask(CommandLineProgram.callersMask)
    let child = ChildProcess.start(
      path, arguments, .init(output: output.writing, errors: errors.writing), environment: environment,
      ignored: [SIGHUP, SIGINT, SIGQUIT].filter { linux_ignores($0) != 0 })
    umask(0o077)
    guard let child else { return -1 }
    process = child.process
    for (pipe, target) in [(output, Int32(1)), (errors, 2)]
    where target == 1 || pipe.reading != output.reading {
      close(pipe.writing)
      flows.append(Flow(source: pipe.reading, target: target, mask: mask))
    }
    return child.watch
  }

  /// Whether two descriptors lead to the same file, in which the order of output and errors is to stay.
  private static func isSame(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    return unsafe fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  // MARK: Running

  /// Waits for something, and does it.
  ///
  /// - Returns: `errno`, if the program cannot be started.
  private func turn(_ reports: Int32) -> Int32? {
    let isForeground = terminal < 0 || takeTerminal()
    // What the program prints before it stops is shown before.
    let isShowing = flows.contains { $0.mask != nil && !$0.pending.isEmpty }
    var queries = [signals, isShowing || status != nil ? -1 : reports].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    for flow in flows {
      let isPaused = flow.mask == nil && !isForeground
      queries.append(
        flow.pending.isEmpty
          ? pollfd(fd: isPaused ? -1 : flow.source, events: Int16(POLLIN), revents: 0)
          : pollfd(fd: flow.target, events: Int16(POLLOUT), revents: 0))
    }
    guard unsafe poll(&queries, nfds_t(queries.count), isForeground ? -1 : Self.foregroundInterval) > 0 else {
      return nil
    }
    if queries[0].revents != 0 { forwardSignal() }
    let ready = flows.indices.filter { queries[$0 + 2].revents != 0 }
    for index in ready { move(&flows[index]) }
    let hasOutput = ready.contains { flows[$0].mask != nil }
    return queries[1].revents != 0 && !hasOutput ? readReport(reports) : nil
  }

  private func move(_ flow: inout Flow) {
    if flow.pending.isEmpty {
      var buffer = [UInt8](repeating: 0, count: flow.mask == nil ? Self.portion : 16 * Self.portion)
      let count = unsafe read(flow.source, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      if count <= 0 { flow.source = -1 }
      let bytes = Array(buffer.prefix(max(count, 0)))
      flow.pending = flow.mask?.shown(bytes, isEnd: count <= 0) ?? bytes
      return
    }
    let count = unsafe write(flow.target, flow.pending, min(flow.pending.count, Self.portion))
    if count >= 0 {
      flow.pending.removeFirst(count)
    } else if errno != EINTR, errno != EAGAIN {
      // The program is told by SIGPIPE, or by the end of its terminal, as without this process.
      if flow.mask != nil { close(flow.source) }
      (flow.source, flow.pending) = (-1, [])
    }
  }

  private func forwardSignal() {
    let number = linux_next_forwarded_signal(signals)
    switch abs(number) {
    case 0: break
    // A shell may have changed the modes of the terminal.
    case SIGCONT: passesKeys = false
    case SIGWINCH: copySize()
    // A program without a terminal of its own gets what the keyboard sends, as this process does.
    case let signal where status == nil: if number > 0 { kill(process, signal) }
    // What it has left behind keeps the output open.
    default: for index in flows.indices { flows[index].source = -1 }
    }
  }

  private func readReport(_ reports: Int32) -> Int32? {
    var value: Int32 = 0
    if terminal < 0 {
      guard unsafe waitpid(process, &value, 0) == process else { return nil }
      status = value
      return nil
    }
    guard unsafe read(reports, &value, 4) == 4 else {
      // Somebody has killed the process that reports.
      status = SIGHUP
      return nil
    }
    if value < 0 { return -value }
    if process == 0 {
      process = value
    } else if value & 0xFF == 0x7F {
      suspend()
    } else {
      status = value
    }
    return nil
  }

  // MARK: The terminal

  /// Has the user's terminal pass on each key, if this job is in the foreground.
  ///
  /// - Returns: whether it is.
  private func takeTerminal() -> Bool {
    let foreground = tcgetpgrp(0)
    let isForeground = foreground == getpgrp() || foreground < 0
    if isForeground, !passesKeys {
      var current = termios()
      unsafe tcgetattr(0, &current)
      modes = modes ?? current
      unsafe cfmakeraw(&current)
      unsafe tcsetattr(0, TCSADRAIN, &current)
      copySize()
    }
    passesKeys = isForeground
    return isForeground
  }

  private func leaveTerminal() {
    guard var before = modes else { return }
    unsafe tcsetattr(0, TCSADRAIN, &before)
    (modes, passesKeys) = (nil, false)
  }

  private func copySize() {
    var size = winsize()
    if terminal >= 0, unsafe ioctl(0, UInt(TIOCGWINSZ), &size) == 0 {
      _ = unsafe ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }
  }

  /// Stops this job, as Ctrl-Z did the program, until it is continued.
  private func suspend() {
    leaveTerminal()
    kill(0, SIGTSTP)
    kill(-process, SIGCONT)
  }
}
