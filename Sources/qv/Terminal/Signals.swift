import CLinux
import Glibc

/// The signals that end a command, which arrive at a descriptor, so that every wait notices them.
enum Signals {
  /// Blocks SIGINT, SIGTERM and SIGHUP, and ignores SIGPIPE.
  static let descriptor: Int32 = linux_signal_descriptor()

  /// Waits until a descriptor is ready.
  ///
  /// - Parameter timeout: in milliseconds; -1 to wait without limit.
  /// - Returns: whether it is ready; false after the timeout.
  /// - Throws: ``Failure/signal(_:)``.
  @discardableResult
  static func wait(for descriptor: Int32, _ events: Int32 = POLLIN, timeout: Int32 = -1) throws(Failure)
    -> Bool
  {
    try wait(for: [descriptor], events, timeout: timeout) != nil
  }

  /// Waits until one of several descriptors is ready.
  ///
  /// - Returns: its index; nil after the timeout.
  static func wait(for descriptors: [Int32], _ events: Int32 = POLLIN, timeout: Int32 = -1) throws(Failure)
    -> Int?
  {
    var queries = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
    queries.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    while true {
      let count = unsafe poll(&queries, nfds_t(queries.count), timeout)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      if let last = queries.last, last.revents != 0 {
        let number = linux_next_signal(descriptor)
        if number != 0 { throw .signal(number) }
      }
      if let index = queries.dropLast().firstIndex(where: { $0.revents != 0 }) { return index }
    }
  }

  /// Ends this process with status 0 after a time, whatever it waits for then.
  static func exitQuietly(afterSeconds seconds: UInt32) {
    signal(SIGALRM) { _ in _exit(0) }
    alarm(seconds)
  }

  /// Calls `body` while signals that stop or end the process wait.
  static func holding<Result>(_ numbers: [Int32], _ body: () throws(Failure) -> Result) throws(Failure)
    -> Result
  {
    try withMask(SIG_BLOCK, numbers, body)
  }

  /// Calls `body` while Ctrl-C and Ctrl-\ are left to a program that has the terminal, as system(3) does.
  static func leavingKeyboard<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    for number in ofKeyboard { signal(number, SIG_IGN) }
    defer { for number in ofKeyboard { signal(number, SIG_DFL) } }
    // Blocked signals would reach the descriptor even if they are ignored.
    return try withMask(SIG_UNBLOCK, ofKeyboard, body)
  }

  /// Stops until this process may use its terminal, as a job in the background does. The signals of ``descriptor`` end it at
  /// once meanwhile: nobody would read them.
  static func awaitForeground(_ terminal: Int32) throws(Failure) {
    let foreground = tcgetpgrp(terminal)
    guard foreground >= 0, foreground != getpgrp() else { return }
    try withMask(SIG_UNBLOCK, [SIGTERM, SIGINT, SIGHUP, SIGTSTP]) { _ = tcdrain(terminal) }
  }

  /// Whether Ctrl-Z is left to the caller, which calls ``suspend()`` after it has cleaned up.
  static var holdsSuspension: Bool {
    var signals = sigset_t()
    unsafe sigprocmask(SIG_BLOCK, nil, &signals)
    return unsafe sigismember(&signals, SIGTSTP) == 1
  }

  /// Stops this process as Ctrl-Z does, until it is continued.
  static func suspend() { raise(SIGTSTP) }

  /// Calls `body` with signals blocked or not, as `how` of sigprocmask(2) says.
  private static func withMask<Result>(_ how: Int32, _ numbers: [Int32], _ body: () throws(Failure) -> Result)
    throws(Failure) -> Result
  {
    var (signals, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&signals)
    for number in numbers { unsafe sigaddset(&signals, number) }
    unsafe sigprocmask(how, &signals, &before)
    defer { unsafe sigprocmask(SIG_SETMASK, &before, nil) }
    return try body()
  }

  /// The signals of Ctrl-C and Ctrl-\.
  static let ofKeyboard = [SIGINT, SIGQUIT]

  /// Ends this process by a signal, as a shell expects.
  static func end(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    kill(getpid(), number)
    unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
    exit(128 + number)
  }
}
