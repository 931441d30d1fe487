import Glibc

/// The settings of a terminal, such as whether it shows what is typed. A pinentry that is killed leaves its own.
struct TerminalSettings {
  private let path: String
  private var settings = termios()

  /// Reads the settings; nil if the path is not that of a terminal.
  init?(of path: String) {
    self.path = path
    guard path.hasPrefix("/dev/"), let descriptor = Self.open(path) else { return nil }
    defer { close(descriptor) }
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
  }

  /// Sets them again.
  func restore() {
    guard let descriptor = Self.open(path) else { return }
    defer { close(descriptor) }
    // A process in the background of this terminal would be stopped.
    var (blocked, before) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGTTOU)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
    var settings = settings
    unsafe tcsetattr(descriptor, TCSANOW, &settings)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func open(_ path: String) -> Int32? {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    return descriptor < 0 ? nil : descriptor
  }
}
