import CLinux
import Glibc

/// The socket that systemd passes to a service that it starts (sd_listen_fds(3)).
package enum ActivationSocket {
  package enum Failure: Error, Hashable, Sendable {
    /// Other than one descriptor was passed, or one that is no listening AF_UNIX stream socket.
    case unusable
  }

  private static let first: Int32 = 3

  /// Takes the descriptor from the environment.
  ///
  /// - Returns: nil if none was passed to this process.
  package static func take() throws(Failure) -> Int32? {
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsafe unsetenv(name) } }
    guard value("LISTEN_PID") == Int(getpid()), let count = value("LISTEN_FDS"), count > 0 else { return nil }
    guard count == 1, linux_is_listening(first) == 1, fcntl(first, F_SETFD, FD_CLOEXEC) == 0 else {
      throw .unusable
    }
    return first
  }

  /// Closes the connections that wait, so that their clients look for the service that runs already.
  package static func drain(_ socket: Int32) {
    var query = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    while unsafe poll(&query, 1, 0) > 0 {
      let connection = linux_accept(socket)
      guard connection >= 0 else { return }
      close(connection)
    }
  }

  private static func value(_ name: String) -> Int? {
    unsafe getenv(name).flatMap { unsafe Int(String(cString: $0)) }
  }
}
