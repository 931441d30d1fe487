import Glibc
import VaultInterface

/// The user's terminal: questions, and input without echo.
struct Terminal {
  let input: Int32
  let output: Int32

  /// Whether the user can be asked for more than a password.
  static var isInteractive: Bool { isatty(0) == 1 && isatty(2) == 1 }

  /// Whether messages are read by a person now.
  static var showsMessages: Bool { isatty(2) == 1 }

  /// Whether the process has a controlling terminal.
  static var hasControlling: Bool {
    let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }

  /// The kind that the environment names; `dumb` without one.
  static var kind: String { Environment["TERM"] ?? "dumb" }

  /// The terminal on standard input and standard error.
  static let standard = Terminal(input: 0, output: 2)

  /// Calls `body` with the controlling terminal.
  ///
  /// - Returns: nil if there is none.
  static func withControlling<Result>(_ body: (Terminal) throws(Failure) -> Result) throws(Failure) -> Result?
  {
    let descriptor = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return try body(Terminal(input: descriptor, output: descriptor))
  }

  /// How often it is tried to get the turn, in milliseconds.
  private static let turnInterval: Int32 = 50

  /// Calls `body` while no other qv asks on this terminal. Programs that run at once, as with xargs or <(...), would show what is
  /// typed at one prompt of two, and leave the terminal without echo. Ctrl-Z gives the turn to the others; continued, this waits
  /// for its turn again.
  ///
  /// - Parameter body: is told whether others may have had the turn before.
  static func inTurn(_ body: (Bool) throws(Failure) -> Void) throws(Failure) {
    var hasWaited = false
    while true {
      do throws(Failure) {
        return try Signals.holding([SIGTSTP]) { () throws(Failure) in
          let descriptor = openOwn()
          defer { if descriptor >= 0 { close(descriptor) } }
          // A job in the background stops here, where it keeps no other waiting.
          try Signals.awaitForeground(descriptor)
          while descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            hasWaited = true
            _ = try Signals.wait(for: [], timeout: turnInterval)
          }
          try body(hasWaited)
        }
      } catch .signal(SIGTSTP) {
        Signals.suspend()
        hasWaited = true
      }
    }
  }

  /// Opens the terminal by its own name. All users share `/dev/tty`, and could keep each other waiting.
  ///
  /// - Returns: -1 if no standard stream is a terminal.
  private static func openOwn() -> Int32 {
    for stream in Int32(0)...2 {
      var name = [CChar](repeating: 0, count: 64)
      guard unsafe ttyname_r(stream, &name, name.count) == 0, unsafe strcmp(name, "/dev/tty") != 0 else {
        continue
      }
      return unsafe open(name, O_RDWR | O_CLOEXEC | O_NOCTTY)
    }
    return -1
  }

  /// The size of a terminal; 24 × 80 if it is unknown.
  static func size(of descriptor: Int32) -> (rows: Int, columns: Int) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return (24, 80) }
    return (max(Int(size.ws_row), 2), max(Int(size.ws_col), 20))
  }

  /// A message of the program as a line to show.
  static func line(_ message: String) -> String { wrapped("qv: \(message.printable)") + "\n" }

  /// A text as it is shown on standard error: a terminal gets lines that end with a word.
  private static func wrapped(_ text: String) -> String {
    guard showsMessages else { return text }
    let width = size(of: 2).columns
    return text.lines.map { $0.wrapped(at: width).joined(separator: "\n") }.joined(separator: "\n")
  }

  func show(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe write(output, bytes, bytes.count)
  }

  /// Calls `body` while the terminal has other modes. Signals of the keyboard that stop or end the process arrive at
  /// ``Signals/descriptor`` meanwhile: the terminal would keep the modes. Ctrl-Z ends `body`, which is called again once the
  /// process is continued.
  func withModes<Result>(
    _ change: (inout termios) -> Void, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let isOutermost = !Signals.holdsSuspension
    while true {
      // The modes are those of the shell's line editor until the job is in the foreground.
      try Signals.awaitForeground(input)
      var before = termios()
      guard unsafe tcgetattr(input, &before) == 0 else { return try body() }
      do throws(Failure) {
        return try Signals.holding([SIGTSTP, SIGQUIT]) { () throws(Failure) in
          var modes = before
          change(&modes)
          unsafe tcsetattr(input, TCSADRAIN, &modes)
          defer { unsafe tcsetattr(input, TCSADRAIN, &before) }
          return try body()
        }
      } catch .signal(SIGTSTP) where isOutermost {
        Signals.suspend()
      }
    }
  }

  /// Calls `body` while what is typed is not shown.
  func withoutEcho<Result>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    try withModes({ $0.c_lflag &= ~tcflag_t(ECHO) }, body)
  }

  /// Calls `body` with what reads the keys one by one, which the terminal neither edits nor shows meanwhile.
  func withKeys<Result>(_ body: (inout KeyReader) throws(Failure) -> Result) throws(Failure) -> Result {
    try withModes({ $0.c_lflag &= ~tcflag_t(ICANON | ECHO) }) { () throws(Failure) in
      var keys = KeyReader(input)
      return try body(&keys)
    }
  }

  /// Asks a question until it is answered by yes or no. The end of input is a no.
  ///
  /// - Parameter defaultAnswer: what an empty answer means.
  func confirm(_ question: String, defaultAnswer: Bool = false) throws(Failure) -> Bool {
    try answer(question, Localized("Answer y or n. ", "请回答 y 或 n。")) {
      Self.meaning(of: $0, defaultAnswer: defaultAnswer)
    } ?? false
  }

  /// Asks a question until an answer means something.
  ///
  /// - Parameter hint: what can be answered.
  /// - Returns: nil at the end of input.
  func answer<Answer>(_ question: String, _ hint: Localized, _ meaning: (String) -> Answer?) throws(Failure)
    -> Answer?
  {
    var text = question
    while true {
      show(Self.wrapped(text) + " ")
      guard let line = try Descriptor.readLine(input) else {
        show("\n")
        return nil
      }
      if let answer = meaning(line) { return answer }
      text = hint[Environment.language] + question
    }
  }

  /// Whether an answer is a yes; nil if it is neither that nor a no.
  ///
  /// - Parameter defaultAnswer: what an empty answer means.
  static func meaning(of answer: String, defaultAnswer: Bool) -> Bool? {
    switch answer.trimmed.foldedName {
    case "y", "yes", "是", "是的": true
    case "n", "no", "否", "不", "不是": false
    case "": defaultAnswer
    default: nil
    }
  }
}
