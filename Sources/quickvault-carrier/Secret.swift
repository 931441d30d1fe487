import Glibc
import HelperProtocols
import WebCarrier

/// Reads a password or token, before the process is confined.
enum Secret {
  /// In bytes.
  private static let longest = 16_384

  /// Reads the first line from a descriptor; nil if there is none, or it is too long, or no text.
  ///
  /// - Throws: ``CarrierError/cancelled`` when a signal arrives.
  static func read(from descriptor: Int32, _ signals: Signals) throws(CarrierError) -> String? {
    var bytes = [UInt8](repeating: 0, count: longest)
    defer {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        if let start = buffer.baseAddress { unsafe explicit_bzero(start, buffer.count) }
      }
    }
    var count = 0
    while count < bytes.count {
      try signals.waitForInput(descriptor)
      let got = unsafe bytes.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress?.advanced(by: count), 1)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { return nil }
      if got == 0 || bytes[count] == UInt8(ascii: "\n") { break }
      count += 1
    }
    guard count > 0, count < bytes.count else { return nil }
    return String(validating: bytes[..<count], as: UTF8.self)
  }

  /// Asks at the terminal, without showing what is typed. Without a terminal, reads standard input.
  ///
  /// - Throws: as ``read(from:_:)``.
  static func ask(_ prompt: String, _ signals: Signals) throws(CarrierError) -> String? {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return try read(from: 0, signals) }
    defer { close(terminal) }
    // Ctrl-Z and Ctrl-\ would leave the terminal without echo.
    var stops = sigset_t()
    unsafe sigemptyset(&stops)
    unsafe sigaddset(&stops, SIGTSTP)
    unsafe sigaddset(&stops, SIGQUIT)
    unsafe sigprocmask(SIG_BLOCK, &stops, nil)
    defer { unsafe sigprocmask(SIG_UNBLOCK, &stops, nil) }
    var before = termios()
    unsafe tcgetattr(terminal, &before)
    var modes = before
    modes.c_lflag &= ~tcflag_t(ECHO)
    unsafe tcsetattr(terminal, TCSAFLUSH, &modes)
    defer {
      unsafe tcsetattr(terminal, TCSAFLUSH, &before)
      Program.write("\n", to: terminal)
    }
    Program.write(prompt, to: terminal)
    return try read(from: terminal, signals)
  }
}
