import CLinux
import Glibc
import Wire

/// The threads of the process.
enum Threads {
  /// How many must be available. Without one, Swift's runtime library waits for it for ever, on the thread that serves the clients.
  static let needed: Int32 = 4

  /// Checks that threads can be started, by starting some.
  ///
  /// - Parameter waits: whether to wait for them, up to 30 seconds: a short lack does not end a conversation.
  static func requireEnough(waiting waits: Bool) throws(SystemError) {
    for attempt in 1...(waits ? 600 : 1) {
      let failure = linux_try_threads(needed)
      if failure == 0 { return }
      guard waits, attempt < 600 else {
        errno = failure
        throw SystemError("pthread_create")
      }
      _ = poll(nil, 0, 50)
    }
  }
}
