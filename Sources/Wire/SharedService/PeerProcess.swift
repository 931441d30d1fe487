import CLinux
import Glibc

/// The process at the other end of a socket, as the kernel knows it. Nothing that it says of itself is used.
package struct PeerProcess: Hashable, Sendable {
  package enum Failure: Error, Hashable, Sendable {
    case system(SystemError)
    /// It runs as another user.
    case otherUser(UInt32)
    /// It has ended, is hidden, or is in another pid namespace, such as that of a container.
    case unknown
  }

  /// The user that it runs as.
  package let user: UInt32
  /// The process that connected.
  package let process: ProcessFacts
  /// The program that the user knows: ``process``, or if that is a relay, the process that started it, such as Emacs.
  package let program: ProcessFacts

  /// The process for whose life an admission holds.
  package var owner: ProcessIdentity { program.identity }
  /// The terminal from which ``program`` was started; nil if there is none.
  package var terminal: TerminalSession? { program.terminal }

  /// The user that a socket's other end runs as.
  package static func user(of socket: Int32) throws(SystemError) -> UInt32 {
    var (process, user) = (Int32(0), UInt32(0))
    guard unsafe linux_peer(socket, &process, &user) == 0 else { throw SystemError("getsockopt") }
    return user
  }

  /// - Parameters:
  ///   - socket: a connected AF_UNIX socket.
  ///   - expected: the user that it must run as.
  package init(
    of socket: Int32, expecting expected: UInt32 = geteuid(), _ executables: Executables = Executables()
  ) throws(Failure) {
    var (number, user) = (Int32(0), UInt32(0))
    guard unsafe linux_peer(socket, &number, &user) == 0 else { throw .system(SystemError("getsockopt")) }
    guard user == expected else { throw .otherUser(user) }
    guard number > 0 else { throw .unknown }
    var watch = linux_peer_descriptor(socket)
    if watch < 0 { watch = linux_process_descriptor(number) }
    guard watch >= 0 else { throw errno == ESRCH ? .unknown : .system(SystemError("pidfd_open")) }
    defer { close(watch) }
    guard let process = ProcessFacts(of: Int(number), executables) else { throw .unknown }
    let program = process.isRelay ? Self.starter(of: process, executables) : nil
    // Only now it is certain that all this was of the process that connected, and not of one with its id.
    guard Self.isAlive(watch) else { throw .unknown }
    (self.user, self.process, self.program) = (user, process, program ?? process)
  }

  /// The process that started a relay; nil if that has ended.
  ///
  /// A relay whose starter ends is given another parent, such as the user's systemd, which has not asked for anything. It
  /// is told by its control group: a child begins in the group of its parent.
  private static func starter(of relay: ProcessFacts, _ executables: Executables) -> ProcessFacts? {
    guard relay.parent > 1 else { return nil }
    let watch = linux_process_descriptor(Int32(truncatingIfNeeded: relay.parent))
    guard watch >= 0 else { return nil }
    defer { close(watch) }
    guard let starter = ProcessFacts(of: relay.parent, executables),
      starter.controlGroup == relay.controlGroup,
      starter.identity.startTime <= relay.identity.startTime,
      ProcessStatus(of: relay.identity.process)?.parent == relay.parent, isAlive(watch)
    else { return nil }
    return starter
  }

  private static func isAlive(_ watch: Int32) -> Bool {
    var query = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&query, 1, 0) == 0
  }
}
